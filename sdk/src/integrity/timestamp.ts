import type { SignedEntity } from '@sigstore/verify'
import { derTags, readDer, readOneDer } from './der.ts'

type Timestamp = SignedEntity['timestamps'][number]

const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/

/** The position of genTime in TSTInfo (RFC 3161 §2.4.2). */
const timeAt = 4

/**
 * DER drops zeros at the end of a fraction of a second, but @sigstore/verify reads exactly three digits: it rejects one in ten
 * timestamps of an authority that counts milliseconds. So the time is read here, in whole seconds as there. Throws if it is missing.
 */
export const withAnyFraction = (entry: Timestamp): Timestamp => {
  if (entry.$case !== 'timestamp-authority') return entry
  const signingTime = genTimeOf(entry.timestamp.tstInfo.raw)
  return { ...entry, timestamp: Object.create(entry.timestamp, { signingTime: { value: signingTime } }) }
}

const genTimeOf = (tstInfo: Buffer): Date => {
  const time = readDer(readOneDer(tstInfo).content)[timeAt]
  const parts = time?.tag === derTags.generalizedTime ? generalizedTime.exec(time.content.toString('latin1')) : null
  if (!parts) throw new RangeError('Not a time')
  const [, year, month, day, hour, minute, second] = parts
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
