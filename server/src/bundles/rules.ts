import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type BundleCheckName,
  type BundleDetails,
  type BundleReason,
  type BundleStatus,
  type BundleVerdict,
  bundleCheckNames,
  type DeclaredSigner,
  describeSigner,
  invalidField,
  type Refusal,
  signerProofPrefix,
} from '@countersign/sdk/contract'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long a checker may take before another takes over. */
export const leaseMs = 2 * minuteMs
/** Within this time, a request without force returns the known result. */
export const freshMs = 10 * minuteMs
/** What a response promises: the job runs every few seconds, and a check takes one or two fetches at most. */
export const promisedMs = 30_000
/** How long a fetched bundle is kept after its address stopped answering. */
export const keepFetchedMs = 7 * dayMs
/** Limits of a fetch: bundles are kilobytes; at most 5 MB are read. */
export const fetching = { maxRedirects: 3, timeoutMs: 10_000 } as const

/** Once a day; after a failure sooner, doubling each time up to six hours. */
export const nextCheckAt = ({ at, failures }: { at: number; failures: number }): number =>
  at + (failures === 0 ? dayMs : Math.min(minuteMs * 2 ** Math.min(failures - 1, 16), 6 * hourMs))

/** An unreadable bundle says nothing about the model, so it is reported like one that could not be fetched. */
const malformed: ReadonlySet<BundleReason | null> = new Set([
  'bundle_too_large',
  'bundle_unreadable',
  'bundle_unsupported',
] as const)

export const isMalformed = ({ reason }: Pick<BundleVerdict, 'reason'>) => malformed.has(reason)

export const statusOf = (verdict: Pick<BundleVerdict, 'status' | 'reason'>): BundleStatus =>
  isMalformed(verdict) ? 'error' : verdict.status

/** Undecided, so another attempt may help. */
export const isUndecided = (verdict: BundleVerdict) => statusOf(verdict) === 'error'

const openVerdict = (reason: BundleReason, message: string): BundleVerdict => ({
  status: 'error',
  reason,
  message,
  checks: bundleCheckNames.map((name) => ({ name, result: 'not_checked', detail: '' })),
  method: null,
  signer: null,
  log: null,
  signed_at: null,
  signed_digest: null,
  predicate_type: null,
  trusted_root_date: null,
})

/** `why` is a sentence. */
export const notFetched = (why: string): BundleVerdict =>
  openVerdict('bundle_not_fetched', `The bundle could not be fetched. ${why} Check its address, or upload the bundle.`)

/** The trusted root that the operator configured is missing. */
export const noRoot = (): BundleVerdict =>
  openVerdict(
    'trusted_root_invalid',
    "The registry's trusted root cannot be read, so nothing was decided. The operator has been notified.",
  )

export const notChecked = (): BundleVerdict =>
  openVerdict(
    'check_failed',
    'The check took too long and was stopped. It will be retried later; if this keeps happening, upload another bundle.',
  )

/** The verdict on the last fetched copy while the address does not answer. */
export const fromStored = (verdict: BundleVerdict, why: string, fetchedAt: number): BundleVerdict => ({
  ...verdict,
  message: `${verdict.message} The bundle could not be fetched again (${why.replace(/\.$/, '')}). This is the result for the copy fetched on ${new Date(fetchedAt).toISOString()}, which counts for seven days.`,
})

/** The record of a verdict, in the format of the specification. */
export const detailsOf = (verdict: BundleVerdict): BundleDetails => {
  const passed = (name: BundleCheckName) => {
    const { result } = verdict.checks.find((check) => check.name === name) ?? {}
    return result === 'passed' ? true : result === 'failed' ? false : null
  }
  return {
    signatures_valid: passed('signature'),
    certificate_valid: passed('certificate'),
    transparency_log_verified: passed('transparency_log'),
    artifact_hash_match: passed('digest'),
    signer_identity: verdict.signer && describeSigner(verdict.signer),
    signer_tied: verdict.status === 'verified' ? true : verdict.reason === 'signer_not_tied' ? false : null,
    signature_timestamp: verdict.signed_at,
    reason: verdict.reason,
    error: verdict.status === 'verified' ? null : verdict.message,
  }
}

export const noBundle = 'This version has no bundle. Upload one, or register the version with sigstore_bundle_url.'
export const notYetChecked = 'The bundle has not been checked yet.'

/* ---- declared signers ---- */

/** Long enough for a key that is kept offline. */
export const challengeMs = dayMs
/** Certificates are replaced from time to time: what earlier ones signed stays the provider's own. */
export const maxProvenKeys = 20

interface Challenged {
  publicUrl: string
  provider_id: string
  id: string
  challenge: string
  expires_at: number
}

/** What the holder signs: valid once, for one signer of one provider at one registry. */
export const challengeText = ({ publicUrl, provider_id, id, challenge, expires_at }: Challenged): string =>
  `${signerProofPrefix}registry: ${publicUrl}\nprovider: ${provider_id}\nsigner: ${id}\nnonce: ${challenge}\nexpires: ${new Date(expires_at).toISOString()}\n`

const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** A point on a curve has two encodings; a JWK has both coordinates, so that a key is not stored twice. */
const keyOf = (pem: string) => {
  try {
    const key = createPublicKey(pem)
    const isOnCurve = key.asymmetricKeyType === 'ec' && curves.includes(key.asymmetricKeyDetails?.namedCurve ?? '')
    return isOnCurve ? createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' }) : key
  } catch {
    return undefined
  }
}

/** SHA-256 of the key's SPKI, hex. */
export const fingerprintOf = (signer: DeclaredSigner): string | null => {
  if (signer.kind !== 'key') return null
  const key = keyOf(signer.public_key)
  return key
    ? createHash('sha256')
        .update(key.export({ type: 'spki', format: 'der' }))
        .digest('hex')
    : null
}

const rsaSizes = [2_048, 3_072, 4_096]

/** What `verifyBundle` checks signatures with. */
const canSign = ({
  asymmetricKeyType: type,
  asymmetricKeyDetails: { namedCurve = '', modulusLength = 0 } = {},
}: KeyObject): boolean => {
  if (type === 'rsa' || type === 'rsa-pss') return rsaSizes.includes(modulusLength)
  return type === 'ed25519' || (type === 'ec' && curves.includes(namedCurve))
}

/** Why a signer cannot be declared: these values could never verify anything. */
export const declarationRefusal = (signer: DeclaredSigner): Refusal | undefined => {
  if (signer.kind === 'key') {
    const key = keyOf(signer.public_key)
    if (!key) return invalidField('signer.public_key', 'This public key cannot be read')
    if (!canSign(key))
      return invalidField(
        'signer.public_key',
        'Must be an ECDSA key on P-256, P-384 or P-521, an Ed25519 key, or an RSA key of 2,048, 3,072 or 4,096 bits',
      )
  }
  if (signer.kind === 'certificate' && !canReadCertificates(signer.certificate_chain))
    return invalidField('signer.certificate_chain', 'These certificates cannot be read')
  return undefined
}

const canReadCertificates = (chain: string): boolean => {
  try {
    const certificates = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    return certificates.length > 0 && certificates.every((pem) => new X509Certificate(pem).subject !== undefined)
  } catch {
    return false
  }
}

/** Whether two declarations allow the same signer, in any spelling. */
export const isSameSigner = (a: DeclaredSigner, b: DeclaredSigner): boolean => {
  const [keyA, keyB] = [fingerprintOf(a), fingerprintOf(b)]
  return keyA !== null || keyB !== null ? keyA === keyB : spelled(a) === spelled(b)
}

const spelled = (signer: DeclaredSigner) => JSON.stringify(Object.entries(signer).sort())
