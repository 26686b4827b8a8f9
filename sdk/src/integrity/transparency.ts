import {
  type SignedEntity,
  type Signer,
  type TrustMaterial,
  toSignedEntity,
  VerificationError,
  Verifier,
} from '@sigstore/verify'
import { explain } from './explain.ts'
import { checkEntryKey } from './log-entry.ts'
import type { ReadBundle } from './read-bundle.ts'
import { orReject, Rejection, reject } from './rejection.ts'
import { signatureContent } from './signature.ts'
import { withAnyFraction } from './timestamp.ts'

/** Maximum difference between the clocks of logs, authorities and this machine. */
const clockSkewMs = 5 * 60_000

export interface LoggedSignature {
  signer: Signer
  /** The proven times of the signature: from timestamps first, then from logs. */
  times: Date[]
}

interface Thresholds {
  logs: number
  certificateLogs: number
  times: number
}

/**
 * Everything that @sigstore/verify checks, plus what it omits: later keys, times in the future, and logs after their
 * end.
 */
export const checkLogged = (
  read: ReadBundle,
  material: TrustMaterial,
  thresholds: Thresholds,
  now: Date,
): LoggedSignature => {
  const entity = entityOf(read)
  const times = timesOf(entity)
  for (const time of times) {
    if (time.getTime() > now.getTime() + clockSkewMs)
      reject('time', 'time_in_future', `Signed at ${shownTime(time)}, which is in the future`)
  }
  const signer = verify(entity, material, thresholds)
  checkLogPeriods(entity, material, times)
  return { signer, times }
}

export const checkEntryKeys = ({ bundle }: ReadBundle, signed: Parameters<typeof checkEntryKey>[1]): void => {
  for (const entry of bundle.verificationMaterial.tlogEntries) {
    orReject('transparency_log', 'log_entry_mismatch', 'The log entry cannot be read', () =>
      checkEntryKey(entry, signed),
    )
  }
}

const entityOf = (read: ReadBundle): SignedEntity => {
  const entity = orReject('time', 'time_invalid', 'A timestamp cannot be read', () => {
    const entity = toSignedEntity(read.bundle)
    return { ...entity, timestamps: entity.timestamps.map(withAnyFraction) }
  })
  return { ...entity, signature: signatureContent(read) }
}

/** A log's time counts only if the log signed it: Rekor v2 signs none. */
const timesOf = ({ timestamps }: SignedEntity): Date[] => {
  const stamped = timestamps.flatMap((entry) => (entry.$case === 'timestamp-authority' ? [entry.timestamp] : []))
  const logged = timestamps.flatMap((entry) =>
    entry.$case === 'transparency-log' && entry.tlogEntry.inclusionPromise ? [entry.tlogEntry] : [],
  )
  return [
    ...stamped.map((timestamp) =>
      orReject('time', 'time_invalid', 'A timestamp cannot be read', () => realDate(timestamp.signingTime)),
    ),
    ...logged.map(({ integratedTime }) =>
      orReject('time', 'time_invalid', 'A log’s time cannot be read', () =>
        realDate(new Date(Number(integratedTime) * 1_000)),
      ),
    ),
  ]
}

const realDate = (date: Date): Date => {
  if (!(date.getTime() >= 0)) throw new RangeError('Not a time')
  return date
}

export const shownTime = (date: Date): string => date.toISOString().replace(/\.000Z$/, 'Z')

const verify = (
  entity: SignedEntity,
  material: TrustMaterial,
  { logs, certificateLogs, times }: Thresholds,
): Signer => {
  try {
    return new Verifier(material, {
      tlogThreshold: logs,
      ctlogThreshold: certificateLogs,
      timestampThreshold: times,
    }).verify(entity)
  } catch (error) {
    if (error instanceof Rejection) throw error
    if (!(error instanceof VerificationError))
      return reject('bundle', 'bundle_unreadable', 'A part of it has the wrong structure', error)
    const { check, reason, detail } = explain(error, entity, material)
    return reject(check, reason, detail, error)
  }
}

/** For a proof alone, @sigstore/verify does not check whether the log was still in use. */
const checkLogPeriods = ({ tlogEntries }: SignedEntity, { tlogs }: TrustMaterial, times: readonly Date[]) => {
  for (const { logId } of tlogEntries) {
    const periods = tlogs.filter(({ logID }) => logID.equals(logId.keyId)).map(({ validFor }) => validFor)
    const isCovered = times.every((time) => periods.some(({ start, end }) => start <= time && time <= end))
    if (isCovered) continue
    const hasEnded = times.some((time) => periods.every(({ end }) => end < time))
    if (hasEnded)
      reject(
        'transparency_log',
        'trusted_root_expired',
        'The trusted root knows this log, but not for the time of the signature',
      )
    reject('transparency_log', 'log_proof_invalid', 'Signed before the log began')
  }
}
