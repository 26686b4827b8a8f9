import { assertBundle, assertBundleLatest, assertBundleV01, assertBundleV02, type Bundle } from '@sigstore/bundle'
import { Bundle as BundleMessage } from '@sigstore/protobuf-specs'
import type { BundleMethod } from '../contract/bundles.ts'
import { limits } from '../contract/limits.ts'
import { inJson } from './in-json.ts'
import { orReject, reject } from './rejection.ts'

export const bundleBounds = {
  maxBytes: limits.bundleBytes,
  maxDepth: 32,
  /** Limits for log entries, timestamps and certificates. */
  maxItems: 32,
  maxItemBytes: 16_384,
  /** For all timestamps and certificates together, because parsing large ones is slow. */
  maxItemsBytes: 131_072,
  maxHashes: 64,
  maxCheckpointLength: 16_384,
} as const

export interface ReadBundle {
  bundle: Bundle
  method: BundleMethod
}

type Assertion = (bundle: BundleMessage) => asserts bundle is Bundle

/** What each version requires. */
const versions: Record<string, Assertion> = {
  'application/vnd.dev.sigstore.bundle+json;version=0.1': assertBundleV01,
  'application/vnd.dev.sigstore.bundle+json;version=0.2': assertBundleV02,
  'application/vnd.dev.sigstore.bundle+json;version=0.3': assertBundleLatest,
  'application/vnd.dev.sigstore.bundle.v0.3+json': assertBundleLatest,
}

const entryKinds = ['hashedrekord/0.0.1', 'hashedrekord/0.0.2', 'dsse/0.0.1', 'dsse/0.0.2', 'intoto/0.0.2']

/** The bundle and its signing method; rejects what is too large, ambiguous or malformed. */
export const readBundle = (input: Uint8Array | string): ReadBundle => {
  const json = readJson(input)
  const bundle = readMessage(json)
  checkOneOf(json)
  checkSizes(bundle)
  return { bundle, method: methodOf(bundle) }
}

const unreadable = (detail: string, cause?: unknown) => reject('bundle', 'bundle_unreadable', detail, cause)
const unsupported = (detail: string) => reject('bundle', 'bundle_unsupported', detail)

type JsonObject = Record<string, unknown>
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readJson = (input: Uint8Array | string): JsonObject => {
  const size = typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength
  if (size > bundleBounds.maxBytes) {
    reject(
      'bundle',
      'bundle_too_large',
      `${size.toLocaleString('en')} bytes; at most ${bundleBounds.maxBytes.toLocaleString('en')} are read`,
    )
  }
  const json: unknown = orReject('bundle', 'bundle_unreadable', 'Not JSON', () => JSON.parse(textOf(input)))
  if (!isObject(json) || isDeeper(json, bundleBounds.maxDepth))
    return unreadable('Not a JSON object of a bundle’s shape')
  return json
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const textOf = (input: Uint8Array | string) => (typeof input === 'string' ? input : utf8.decode(input))

/** Stops at the limit, so that nesting cannot exhaust the stack. */
export const isDeeper = (value: unknown, limit: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((inner) => isDeeper(inner, limit - 1))
}

/** The library accepts any `vN.N`. */
const readMessage = (json: JsonObject): Bundle => {
  const { mediaType } = json
  const assertVersion: Assertion | undefined =
    typeof mediaType === 'string' && Object.hasOwn(versions, mediaType) ? versions[mediaType] : undefined
  if (!assertVersion)
    return unsupported(
      `Media type ${typeof mediaType === 'string' ? inJson(mediaType) : 'missing'}; versions 0.1 to 0.3 are read`,
    )
  return orReject('bundle', 'bundle_unreadable', 'Fields are missing or malformed', () => {
    const message = BundleMessage.fromJSON(json)
    const assertAll: Assertion = isModelChain(message) ? assertBundle : assertVersion
    assertAll(message)
    return message
  })
}

/** The library rejects certificate chains in v0.3, which OMS by certificate uses. */
const isModelChain = ({ mediaType, verificationMaterial }: BundleMessage): boolean =>
  versions[mediaType] === assertBundleLatest && verificationMaterial?.content?.$case === 'x509CertificateChain'

/** With two keys or two contents, another reader might pick the other one. */
const checkOneOf = (json: JsonObject) => {
  const { verificationMaterial } = json
  const countOf = (object: unknown, names: readonly string[]) =>
    isObject(object) ? names.filter((name) => object[name] !== undefined && object[name] !== null).length : 0
  if (countOf(json, ['messageSignature', 'dsseEnvelope']) !== 1)
    unreadable('Not exactly one of messageSignature and dsseEnvelope')
  if (countOf(verificationMaterial, ['publicKey', 'certificate', 'x509CertificateChain']) !== 1) {
    unreadable('Not exactly one of publicKey, certificate and x509CertificateChain')
  }
}

const checkSizes = ({ verificationMaterial }: Bundle) => {
  const { tlogEntries, timestampVerificationData } = verificationMaterial
  const timestamps = timestampVerificationData?.rfc3161Timestamps.map(({ signedTimestamp }) => signedTimestamp) ?? []
  const certificates = certificatesOf(verificationMaterial)
  for (const [what, items] of Object.entries({ 'log entries': tlogEntries, timestamps, certificates })) {
    if (items.length > bundleBounds.maxItems)
      unreadable(`${items.length} ${what}; at most ${bundleBounds.maxItems} are read`)
  }
  for (const item of [...timestamps, ...certificates]) {
    if (item.length > bundleBounds.maxItemBytes) unreadable(`A certificate or timestamp of ${item.length} bytes`)
  }
  const bytes = [...timestamps, ...certificates].reduce((sum, { length }) => sum + length, 0)
  if (bytes > bundleBounds.maxItemsBytes) unreadable(`Certificates and timestamps of ${bytes} bytes together`)
  for (const entry of tlogEntries) checkEntry(entry)
}

const certificatesOf = ({ content }: Bundle['verificationMaterial']): Buffer[] => {
  if (content.$case === 'x509CertificateChain')
    return content.x509CertificateChain.certificates.map(({ rawBytes }) => rawBytes)
  return content.$case === 'certificate' ? [content.certificate.rawBytes] : []
}

/** Numbers are strings, and later become BigInt and Date. */
const isCount = (text: string) => /^\d{1,15}$/.test(text)

const checkEntry = (entry: Bundle['verificationMaterial']['tlogEntries'][number]) => {
  const { kindVersion, logIndex, integratedTime, inclusionProof } = entry
  const kind = `${kindVersion.kind}/${kindVersion.version}`
  if (!entryKinds.includes(kind)) unsupported(`Log entry of kind ${inJson(kind)}`)
  if (!isCount(logIndex) || !isCount(integratedTime)) unreadable('A log entry’s index or time is not a number')
  if (!inclusionProof) return
  if (!isCount(inclusionProof.logIndex) || !isCount(inclusionProof.treeSize))
    unreadable('A number in the inclusion proof is malformed')
  if (inclusionProof.hashes.length > bundleBounds.maxHashes) unreadable('The inclusion proof is too long')
  // Version 0.1 allowed this, but nothing could then tie the proof to a log.
  if (!inclusionProof.checkpoint) return unsupported('The inclusion proof has no checkpoint')
  if (inclusionProof.checkpoint.envelope.length > bundleBounds.maxCheckpointLength)
    unreadable('The checkpoint is too long')
}

const methodOf = (bundle: Bundle): BundleMethod => {
  if (bundle.verificationMaterial.content.$case === 'publicKey') return 'key'
  return isModelChain(bundle) ? 'certificate' : 'sigstore'
}
