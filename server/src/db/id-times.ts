import type { IdPrefix } from '@countersign/sdk/contract'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
// 48 bits of time, and two of the version behind them.
const timeDigits = 10

/** Replicas' clocks differ, and an id is made a moment before what it names is written. */
const marginMs = 60_000

const digitsOf = (at: number) =>
  Array.from({ length: timeDigits }, (_, index) => alphabet[Math.floor((at * 4) / 32 ** (timeDigits - 1 - index)) % 32]).join('')

/** No id of what happened from `at` on sorts before this. Ids begin with their time (RFC 9562 §5.7), so a list by id is entered there. */
export const idsFrom = (prefix: IdPrefix, at: number) => `${prefix}_${digitsOf(Math.max(0, at - marginMs))}`

/** No id of what happened before `at` sorts behind this. */
export const idsBefore = (prefix: IdPrefix, at: number) => `${prefix}_${digitsOf(at + marginMs)}`
