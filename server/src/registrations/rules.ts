import { randomInt } from 'node:crypto'

export const lifetimeMs = 24 * 3_600_000
/** Attempts before an email, or for strangers its code, is invalid. */
export const maxTries = 5

/** Crockford's digits: none looks like another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 50 random bits in two groups, as people read and type them. */
export const newCode = () => {
  const text = Array.from({ length: 10 }, () => digits[randomInt(32)]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** A code as a person typed it. */
export const normalCode = (typed: string) =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
