import { getRandomValues } from 'node:crypto'
import type { IdPrefix } from '@countersign/sdk/contract'

// Not the package `uuid`: our IDs are base 32, so only the order of the bits would be left to it.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export type NewId = <P extends IdPrefix>(prefix: P) => `${P}_${string}`

const encode = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return text + alphabet[(value << (5 - bits)) & 31]
}

const poolSize = 4_096

/** IDs that sort by creation time: UUIDv7 (RFC 9562 §5.7, with the counter of §6.2 method 1). */
export const createNewId = (now: () => number): NewId => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  let last = 0
  let counter = 0

  const random = (count: number): Uint8Array => {
    if (used + count > poolSize) {
      getRandomValues(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }

  return (prefix) => {
    const at = Math.max(now(), last)
    if (at === last) counter += 1
    else counter = (random(2)[0] ?? 0) << 2
    last = at
    if (counter > 0xfff) {
      last += 1
      counter = 0
    }
    // Random everywhere; the time and version bits are overwritten.
    const bytes = random(16)
    for (let index = 5, rest = last; index >= 0; index--, rest = Math.floor(rest / 256)) bytes[index] = rest % 256
    bytes[6] = 0x70 | (counter >> 8)
    bytes[7] = counter & 0xff
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
    return `${prefix}_${encode(bytes)}`
  }
}
