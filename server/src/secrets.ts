import { createHmac, hash, type KeyObject, randomBytes, randomInt } from 'node:crypto'

/** A secret for a client to keep: 256 random bits. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** The stored hash of it. 256 bits cannot be guessed, so one plain hash is enough. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'hex')

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

/** The stored hash of a code. Keyed, because a plain hash would not hide a short code. */
export const codeHash = (secret: KeyObject, code: string) =>
  createHmac('sha256', secret).update(normalCode(code)).digest('hex')
