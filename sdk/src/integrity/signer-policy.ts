import type { BundleSigner, DeclaredSigner } from '../contract/bundles.ts'

type OfKind<K extends DeclaredSigner['kind']> = Extract<DeclaredSigner, { kind: K }>

export const signersOf = <K extends DeclaredSigner['kind']>(kind: K, signers: readonly DeclaredSigner[]): OfKind<K>[] =>
  signers.filter((signer): signer is OfKind<K> => signer.kind === kind)

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
  repositories: readonly { issuer: string; repository: string }[]
}

/** Whether a signature is the provider's own, by what its certificate or key proved. A declaration alone proves nothing. */
export const isTied = ({ identity, issuer, repository, key_fingerprint }: BundleSigner, ties: SignerTies): boolean => {
  if (key_fingerprint !== null) return ties.keys.includes(key_fingerprint)
  const domain = identity === null ? undefined : mailDomainOf(identity)
  if (domain !== undefined && ties.domains.includes(domain)) return true
  // Hosts of repositories ignore case.
  return repository !== null && ties.repositories.some((own) => own.issuer === issuer && lower(own.repository) === lower(repository))
}

/** The domain of a mailbox, in lower case; undefined for an address of anything else. */
export const mailDomainOf = (identity: string): string | undefined => {
  const domain = /^[^\s@/:]+@([^\s@/:]+)$/.exec(identity)?.[1]
  return domain === undefined ? undefined : lower(domain)
}

/** ASCII only: other letters may turn into one of these. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
