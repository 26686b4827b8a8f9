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
      return signer.issuer === declared.issuer && signer.identity === declared.identity
    case 'repository':
      return (
        signer.issuer === declared.issuer &&
        signer.repository === declared.repository &&
        (declared.workflow === undefined || signer.workflow === declared.workflow)
      )
    // Those are proven by their keys, not by names.
    case 'key':
    case 'certificate':
      return false
    default:
      return declared satisfies never
  }
}
