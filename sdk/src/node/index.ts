export { type HashOptions, type HashProgress, hashModel, type ModelHash } from './hash-model.ts'
export { createMtlsFetch, type MtlsFetch, type MtlsOptions } from './mtls-fetch.ts'
export { type SpkiFingerprint, spkiFingerprint } from './spki-fingerprint.ts'
