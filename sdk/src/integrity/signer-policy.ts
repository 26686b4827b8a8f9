import type { DeclaredSigner } from '../contract/bundles.ts'

export { isDeclared, isTied, type SignerTies } from '../contract/signer-ties.ts'

type OfKind<K extends DeclaredSigner['kind']> = Extract<DeclaredSigner, { kind: K }>

export const signersOf = <K extends DeclaredSigner['kind']>(kind: K, signers: readonly DeclaredSigner[]): OfKind<K>[] =>
  signers.filter((signer): signer is OfKind<K> => signer.kind === kind)
