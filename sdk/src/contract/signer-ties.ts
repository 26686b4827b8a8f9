import type { BundleSigner, DeclaredSigner } from './bundles.ts'

/**
 * Whether a certificate's names are those that were declared. Text is compared with text: an expression or a prefix would
 * let `https://github.com/acme` speak for `https://github.com/acme-evil`.
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
    // Those are proven by their keys, not by names.
    case 'key':
    case 'certificate':
      return false
    default:
      return declared satisfies never
  }
}

/** What a certificate does not name is not declared by leaving it out: without types, a declaration may hold null. */
const isSame = (named: string | null, declared: unknown): boolean => named !== null && named !== '' && named === declared

/** What a provider proved to be its own. */
export interface SignerTies {
  /** SHA-256 of the SPKI, hex: keys whose holder signed a challenge of the provider. */
  keys: readonly string[]
  /** Proven domains in lower case: mailboxes directly at them. */
  domains: readonly string[]
  /** Repositories that a job of theirs proved. */
  repositories: readonly { issuer: string; repository: string; repository_id?: string | null }[]
}

/** Whether a signature is the provider's own, by what its certificate or key proved. A declaration alone proves nothing. */
export const isTied = (signer: BundleSigner, ties: SignerTies): boolean => {
  const { identity, issuer, repository, repository_id, key_fingerprint } = signer
  if (key_fingerprint !== null) return ties.keys.includes(key_fingerprint)
  const domain = identity === null ? undefined : mailDomainOf(identity)
  if (domain !== undefined && ties.domains.includes(domain)) return true
  // A job may call a workflow of another repository, whose name the certificate then has.
  if (repository === null || !isOfRepository(signer)) return false
  // Names of repositories ignore case, and are given to others once they are free; their numbers never are.
  const isSame = (own: SignerTies['repositories'][number]) =>
    own.issuer === issuer &&
    lower(own.repository) === lower(repository) &&
    (own.repository_id == null || repository_id === undefined || own.repository_id === repository_id)
  return ties.repositories.some(isSame)
}

/** Whether the name in a certificate is of the repository whose job asked for it. */
export const isOfRepository = ({ identity, repository }: Pick<BundleSigner, 'identity' | 'repository'>): boolean =>
  identity !== null && repository !== null && lower(identity).startsWith(`${lower(repository)}/`)

/** The domain of a mailbox, in lower case; undefined for an address of anything else. */
export const mailDomainOf = (identity: string): string | undefined => {
  const domain = /^[^\s@/:]+@([^\s@/:]+)$/.exec(identity)?.[1]
  return domain === undefined ? undefined : lower(domain)
}

/** ASCII only: other letters may turn into one of these. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What ties a declared signer to its provider: a signature of the holder, a proven domain, or a job of the repository. */
export const signerTieKinds = ['proof', 'domain', 'repository'] as const
export type SignerTieKind = (typeof signerTieKinds)[number]

export const tieKindOf = (signer: DeclaredSigner): SignerTieKind => {
  if (signer.kind === 'key' || signer.kind === 'certificate') return 'proof'
  return signer.kind === 'identity' && mailDomainOf(signer.identity) !== undefined ? 'domain' : 'repository'
}

/** Whether a declared signer is the provider's own, as far as that can be said before a signature of it is seen. */
export const isTiedDeclaration = (signer: DeclaredSigner, provenKeys: readonly string[], ties: SignerTies): boolean => {
  switch (signer.kind) {
    case 'key':
    case 'certificate':
      return provenKeys.length > 0
    case 'identity': {
      const domain = mailDomainOf(signer.identity)
      if (domain !== undefined) return ties.domains.includes(domain)
      const identity = lower(signer.identity)
      return ties.repositories.some(({ issuer, repository }) => issuer === signer.issuer && identity.startsWith(`${lower(repository)}/`))
    }
    case 'repository':
      return ties.repositories.some(({ issuer, repository }) => issuer === signer.issuer && lower(repository) === lower(signer.repository))
    default:
      return signer satisfies never
  }
}

/** What a holder signs begins with this, so that it can be nothing else: neither a model's statement nor a file. */
export const signerProofPrefix = 'countersign signer proof v1\n'
