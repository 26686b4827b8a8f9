export {
  type MintParameters,
  type MintSignature,
  readMintSignature,
  type SignatureAlgorithm,
  type SignatureFault,
  signatureBase,
  timeFault,
} from './message.ts'
export { type RemoteKey, type RequestSignerOptions, requestSigner } from './request-signer.ts'
