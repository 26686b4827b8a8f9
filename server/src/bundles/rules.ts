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

/** Whoever checks has so long; then another does. */
export const leaseMs = 2 * minuteMs
/** Within that, asking again without force tells what is known. */
export const freshMs = 10 * minuteMs
/** What an answer promises: the job looks every few seconds, a check takes one or two fetches at most. */
export const promisedMs = 30_000
/** An address that stopped answering keeps what was fetched from it for so long. */
export const keepFetchedMs = 7 * dayMs
/** Of a fetch: bundles are kilobytes, 5 MB is the most that is read. */
export const fetching = { maxRedirects: 3, timeoutMs: 10_000 } as const

/** Once a day; what could not be checked sooner, twice as late with each time, up to six hours. */
export const nextCheckAt = ({ at, failures }: { at: number; failures: number }): number =>
  at + (failures === 0 ? dayMs : Math.min(minuteMs * 2 ** Math.min(failures - 1, 16), 6 * hourMs))

/** A bundle that cannot be read at all says nothing about the model: it is told like one that could not be fetched. */
const malformed: ReadonlySet<BundleReason | null> = new Set(['bundle_too_large', 'bundle_unreadable', 'bundle_unsupported'] as const)

export const isMalformed = ({ reason }: Pick<BundleVerdict, 'reason'>) => malformed.has(reason)

export const statusOf = (verdict: Pick<BundleVerdict, 'status' | 'reason'>): BundleStatus =>
  isMalformed(verdict) ? 'error' : verdict.status

/** Whether it could not be decided, so that another try may. */
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

/** The trusted root that the operator named is not there. */
export const noRoot = (): BundleVerdict =>
  openVerdict('trusted_root_invalid', 'The trusted root of this registry cannot be read, so nothing was decided. Its operator was told.')

export const notChecked = (): BundleVerdict =>
  openVerdict('check_failed', 'The check took too long and was ended. It is tried again later; if it stays so, upload another bundle.')

/** The verdict on what was fetched before, while its address does not answer. */
export const fromKept = (verdict: BundleVerdict, why: string, fetchedAt: number): BundleVerdict => ({
  ...verdict,
  message: `${verdict.message} The bundle could not be fetched again (${why.replace(/\.$/, '')}): this is about the one that was fetched on ${new Date(fetchedAt).toISOString()}, which counts for seven days.`,
})

/** The seeds' record of a verdict. */
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

export const noBundle = 'No bundle was given for this version. Upload one, or register the version with sigstore_bundle_url.'
export const notYetChecked = 'The bundle has not been checked yet.'

/* ---- declared signers ---- */

/** Long enough for a key that is kept away from every network. */
export const challengeMs = dayMs
/** A certificate is replaced now and then: what earlier ones signed stays the provider's own. */
export const maxProvenKeys = 20

interface Challenged {
  publicUrl: string
  provider_id: string
  id: string
  challenge: string
  expires_at: number
}

/** What the holder signs: good for one signer of one provider at one registry, once. */
export const challengeText = ({ publicUrl, provider_id, id, challenge, expires_at }: Challenged): string =>
  `${signerProofPrefix}registry: ${publicUrl}\nprovider: ${provider_id}\nsigner: ${id}\nnonce: ${challenge}\nexpires: ${new Date(expires_at).toISOString()}\n`

const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** A point on a curve is written in two ways; as JWK it has both its coordinates, so that one key is not there twice. */
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

/** What `verifyBundle` checks signatures of. */
const canSign = ({ asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '', modulusLength = 0 } = {} }: KeyObject): boolean => {
  if (type === 'rsa' || type === 'rsa-pss') return rsaSizes.includes(modulusLength)
  return type === 'ed25519' || (type === 'ec' && curves.includes(namedCurve))
}

/** Why a signer cannot be declared: with what is given nothing could ever be checked. */
export const declarationRefusal = (signer: DeclaredSigner): Refusal | undefined => {
  if (signer.kind === 'key') {
    const key = keyOf(signer.public_key)
    if (!key) return invalidField('signer.public_key', 'This is not a public key that can be read')
    if (!canSign(key))
      return invalidField(
        'signer.public_key',
        'Must be an ECDSA key on P-256, P-384 or P-521, an Ed25519 key, or an RSA key of 2,048, 3,072 or 4,096 bits',
      )
  }
  if (signer.kind === 'certificate' && !canReadCertificates(signer.certificate_chain))
    return invalidField('signer.certificate_chain', 'These are not certificates that can be read')
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

/** Two that allow the same, however they are spelled. */
export const isSameSigner = (a: DeclaredSigner, b: DeclaredSigner): boolean => {
  const [keyA, keyB] = [fingerprintOf(a), fingerprintOf(b)]
  return keyA !== null || keyB !== null ? keyA === keyB : spelled(a) === spelled(b)
}

const spelled = (signer: DeclaredSigner) => JSON.stringify(Object.entries(signer).sort())
