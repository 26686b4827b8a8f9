import type { SignedEntity, TrustMaterial, VerificationError } from '@sigstore/verify'
import type { BundleCheckName, BundleReason } from '../contract/bundles.ts'

interface Explanation {
  check: BundleCheckName
  reason: BundleReason
  detail: string
}

type Authority = TrustMaterial['certificateAuthorities'][number]

/**
 * The reason for a rejection by @sigstore/verify, from its code and the bundle; its messages are for programmers and
 * may change.
 */
export const explain = ({ code }: VerificationError, entity: SignedEntity, material: TrustMaterial): Explanation => {
  switch (code) {
    case 'TIMESTAMP_ERROR':
      return { check: 'time', ...timeFault(entity, material) }
    case 'CERTIFICATE_ERROR':
      return { check: 'certificate', ...certificateFault(entity, material) }
    case 'TLOG_BODY_ERROR':
      return {
        check: 'transparency_log',
        reason: 'log_entry_mismatch',
        detail: 'The log entry is for another signature or another digest',
      }
    case 'TLOG_ERROR':
    case 'TLOG_MISSING_INCLUSION_ERROR':
    case 'TLOG_INCLUSION_PROMISE_ERROR':
    case 'TLOG_INCLUSION_PROOF_ERROR':
      return { check: 'transparency_log', ...logFault(entity, material) }
    case 'PUBLIC_KEY_ERROR':
    case 'SIGNATURE_ERROR':
    case 'NOT_IMPLEMENTED_ERROR':
      return {
        check: 'signature',
        reason: 'signature_invalid',
        detail: 'The signature was not made with this key over this content',
      }
    default:
      return code satisfies never
  }
}

type Fault = Omit<Explanation, 'check'>

const timesIn = ({ timestamps }: SignedEntity): Date[] =>
  timestamps.flatMap((entry) => {
    if (entry.$case === 'timestamp-authority') return [entry.timestamp.signingTime]
    return entry.tlogEntry.inclusionPromise ? [new Date(Number(entry.tlogEntry.integratedTime) * 1_000)] : []
  })

const timeFault = (entity: SignedEntity, { timestampAuthorities }: TrustMaterial): Fault => {
  if (timesIn(entity).length === 0)
    return { reason: 'time_missing', detail: 'It has neither a timestamp nor a time signed by a log' }
  const isLate = entity.timestamps.some(
    (entry) =>
      entry.$case === 'timestamp-authority' &&
      timestampAuthorities.some(
        (authority) =>
          authority.certChain[0]?.serialNumber.equals(entry.timestamp.signerSerialNumber) &&
          hasEnded(authority, entry.timestamp.signingTime),
      ),
  )
  return isLate
    ? expired('timestamp authority')
    : { reason: 'time_invalid', detail: 'A timestamp is for another signature, or from an unknown authority' }
}

const certificateFault = (entity: SignedEntity, { certificateAuthorities }: TrustMaterial): Fault => {
  const times = timesIn(entity)
  const leaf = entity.key.$case === 'certificate' ? entity.key.certificate : undefined
  const issuers = certificateAuthorities.filter(({ certChain: [issuer] }) => leaf && issuer && isSignedBy(leaf, issuer))
  if (!leaf || issuers.length === 0) {
    return {
      reason: 'certificate_untrusted',
      detail: 'The certificate was not issued by an authority in the trusted root',
    }
  }
  if (!times.every((time) => leaf.validForDate(time))) {
    return { reason: 'certificate_expired', detail: 'The certificate was not valid when the signature was made' }
  }
  if (times.some((time) => issuers.every((issuer) => hasEnded(issuer, time)))) return expired('certificate authority')
  if (times.some((time) => issuers.every(({ validFor }) => time < validFor.start))) {
    return { reason: 'certificate_untrusted', detail: 'The certificate was issued before its authority was trusted' }
  }
  return {
    reason: 'certificate_not_logged',
    detail: 'The certificate has no valid proof from a certificate log in the trusted root',
  }
}

type Leaf = Extract<SignedEntity['key'], { $case: 'certificate' }>['certificate']

const isSignedBy = (leaf: Leaf, issuer: Leaf): boolean => {
  try {
    return leaf.verify(issuer)
  } catch {
    return false
  }
}

/** By the trusted root, or because a certificate of the authority expired. */
const hasEnded = ({ validFor, certChain }: Authority, time: Date) =>
  validFor.end < time || certChain.some(({ notAfter }) => notAfter < time)

const expired = (what: string): Fault => ({
  reason: 'trusted_root_expired',
  detail: `The trusted root knows this ${what}, but not for the time of the signature`,
})

const logFault = (entity: SignedEntity, { tlogs }: TrustMaterial): Fault => {
  const { tlogEntries } = entity
  if (tlogEntries.length === 0) return { reason: 'log_entry_missing', detail: 'No entry of a transparency log' }
  const known = tlogEntries.map(({ logId }) => tlogs.filter(({ logID }) => logID.equals(logId.keyId)))
  if (known.some((logs) => logs.length === 0))
    return { reason: 'log_unknown', detail: 'The trusted root does not name this log' }
  const times = timesIn(entity)
  if (times.some((time) => known.some((logs) => logs.every(({ validFor }) => validFor.end < time))))
    return expired('log')
  return { reason: 'log_proof_invalid', detail: 'The log did not sign this entry, or the entry is not in the log' }
}
