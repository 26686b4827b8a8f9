export { byCodePoints, byPathParts, inOrderOf, rootDigest } from './file-list.ts'
export type { ModelResource, ModelStatement } from './model-signing.ts'
export { readModelSigning } from './read-model-signing.ts'
export { readSigner } from './read-signer.ts'
export { type ModelToSign, modelStatement, type SignedAlgorithm, type SigningOptions, signModel } from './sign-model.ts'
export { isTied, type SignerTies } from './signer-policy.ts'
export {
  checkSignerProof,
  isSignerChallenge,
  type ProofFor,
  type SignerProof,
  type SignerProofAnswer,
  signSignerProof,
} from './signer-proof.ts'
export { readCertificateName } from './signing-certificates.ts'
export { readTrustedRoot, type TrustedRootSource } from './trusted-root.ts'
export { type BundleInput, verifyBundle } from './verify-bundle.ts'
export { type BundlesInput, type BundlesVerdict, verifyBundles } from './verify-bundles.ts'
