import type { IdPrefix } from '@countersign/sdk/contract'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
// 48 bits of time, followed by two bits of the version.
const timeDigits = 10

/** Replicas' clocks differ, and an ID is made a moment before its row is written. */
const marginMs = 60_000

const digitsOf = (at: number) =>
  Array.from(
    { length: timeDigits },
    (_, index) => alphabet[Math.floor((at * 4) / 32 ** (timeDigits - 1 - index)) % 32],
  ).join('')

/** No ID of an event at or after `at` sorts before this. IDs begin with their time (RFC 9562 §5.7), so a list by ID can start there. */
export const idsFrom = (prefix: IdPrefix, at: number) => `${prefix}_${digitsOf(Math.max(0, at - marginMs))}`

/** No ID of an event before `at` sorts after this. */
export const idsBefore = (prefix: IdPrefix, at: number) => `${prefix}_${digitsOf(at + marginMs)}`
