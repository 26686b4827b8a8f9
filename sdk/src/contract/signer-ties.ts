import type { BundleSigner, DeclaredSigner } from './bundles.ts'

/**
 * Whether a certificate's names match a declared signer. Names must be equal: with patterns or prefixes,
 * `https://github.com/acme` would match `https://github.com/acme-evil`.
 */
export const isDeclared = (signer: BundleSigner, declared: DeclaredSigner): boolean => {
  switch (declared.kind) {
    case 'identity':
      return isSame(signer.issuer, declared.issuer) && isSame(signer.identity, declared.identity)
    case 'repository':
      return (
        isSame(signer.issuer, declared.issuer) &&
        isSame(signer.repository, declared.repository) &&
        (declared.workflow === undefined || isSame(signer.workflow, declared.workflow))
      )
    // Proven by keys, not by names.
    case 'key':
    case 'certificate':
      return false
    default:
      return declared satisfies never
  }
}

/** A name missing from the certificate never matches, not even a declaration with null. */
const isSame = (named: string | null, declared: unknown): boolean =>
  named !== null && named !== '' && named === declared

/** What a provider has proven to be its own. */
export interface SignerTies {
  /** Keys whose holder signed a challenge of the provider: SHA-256 of the SPKI, hex. */
  keys: readonly string[]
  /** Proven domains in lower case. They tie email addresses at exactly these domains. */
  domains: readonly string[]
  /** Repositories proven by one of their jobs. */
  repositories: readonly { issuer: string; repository: string; repository_id?: string | null }[]
}

/**
 * Whether a signature is the provider's own, by its certificate or key. A declaration alone proves nothing.
 *
 * @returns Whether one of the ties is to this signer.
 * @example
 * ```ts
 * const signer = readSigner(bundle)
 * const isOwn = signer !== null && isTied(signer, { keys: [], domains: ['acme.example'], repositories: [] })
 * ```
 */
export const isTied = (signer: BundleSigner, ties: SignerTies): boolean => {
  const { issuer, repository, repository_id, key_fingerprint } = signer
  if (key_fingerprint !== null) return ties.keys.includes(key_fingerprint)
  const domain = mailDomainOfSigner(signer)
  if (domain !== undefined && ties.domains.includes(domain)) return true
  // If a job calls a workflow of another repository, the certificate names that repository.
  if (repository === null || !isOfRepository(signer)) return false
  // Names of repositories ignore case and can be taken over by others; their numbers cannot.
  const isSame = (own: SignerTies['repositories'][number]) =>
    own.issuer === issuer &&
    lower(own.repository) === lower(repository) &&
    (own.repository_id == null || repository_id === undefined || own.repository_id === repository_id)
  return ties.repositories.some(isSame)
}

/** The domain that ties a mailbox to its provider; undefined for other signers. */
export const mailDomainOfSigner = ({ identity, key_fingerprint }: BundleSigner): string | undefined =>
  identity === null || key_fingerprint !== null ? undefined : mailDomainOf(identity)

/** Whether the certificate names the repository whose job requested it. */
export const isOfRepository = ({ identity, repository }: Pick<BundleSigner, 'identity' | 'repository'>): boolean =>
  identity !== null && repository !== null && lower(identity).startsWith(`${lower(repository)}/`)

/** The domain of an email address, in lower case; undefined for other identities. */
export const mailDomainOf = (identity: string): string | undefined => {
  const domain = /^[^\s@/:]+@([^\s@/:]+)$/.exec(identity)?.[1]
  return domain === undefined ? undefined : lower(domain)
}

/** ASCII only, because other letters can become ASCII letters in lower case. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What ties a declared signer to its provider: a signature of the holder, a proven domain, or a job of the repository. */
export const signerTieKinds = ['proof', 'domain', 'repository'] as const
/** What ties a declared signer to its provider. */
export type SignerTieKind = (typeof signerTieKinds)[number]

/** What would tie a declared signer to its provider. */
export const tieKindOf = (signer: DeclaredSigner): SignerTieKind => {
  if (signer.kind === 'key' || signer.kind === 'certificate') return 'proof'
  return signer.kind === 'identity' && mailDomainOf(signer.identity) !== undefined ? 'domain' : 'repository'
}

/** Whether a declared signer is the provider's own, as far as known without a signature. */
export const isTiedDeclaration = (signer: DeclaredSigner, provenKeys: readonly string[], ties: SignerTies): boolean => {
  switch (signer.kind) {
    case 'key':
    case 'certificate':
      return provenKeys.length > 0
    case 'identity': {
      const domain = mailDomainOf(signer.identity)
      if (domain !== undefined) return ties.domains.includes(domain)
      const identity = lower(signer.identity)
      return ties.repositories.some(
        ({ issuer, repository }) => issuer === signer.issuer && identity.startsWith(`${lower(repository)}/`),
      )
    }
    case 'repository':
      return ties.repositories.some(
        ({ issuer, repository }) => issuer === signer.issuer && lower(repository) === lower(signer.repository),
      )
    default:
      return signer satisfies never
  }
}

/** The beginning of a signed challenge, so that it cannot be mistaken for a model's statement or a file. */
export const signerProofPrefix = 'countersign signer proof v1\n'
