export { gitPaths } from '../contract/file-name.ts'
export { byCodePoints, inOrderOf, rootDigest } from '../integrity/file-list.ts'
export { type HashOptions, type HashProgress, hashModel, type ModelHash } from './hash-model.ts'
export {
  hashPieces,
  isPieceAlgorithm,
  type PieceAlgorithm,
  type PieceOptions,
  type PiecesOfFile,
} from './hash-pieces.ts'
export { ignoring, type ListOptions } from './list-model-files.ts'
export { ModelPathError, type ModelPathErrorCode } from './model-path-error.ts'
export { createMtlsFetch, type MtlsFetch, type MtlsOptions } from './mtls-fetch.ts'
export { type SpkiFingerprint, spkiFingerprint } from './spki-fingerprint.ts'
