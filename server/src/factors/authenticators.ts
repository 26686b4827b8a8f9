import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { seal, unseal } from '../signing/rules.ts'

const stepMs = 30_000
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: 20 bytes are 32 letters. */
const base32Of = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

/** RFC 6238 with SHA-1 and six digits: what every authenticator app knows. */
export const codeAt = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) % 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

/** Authenticator apps. Their secrets are stored encrypted; each is bound to its person. */
export const createAuthenticators = ({ key, host }: { key: KeyObject; host: string }) => ({
  begin({ id, email }: { id: string; email: string }) {
    const bytes = randomBytes(secretBytes)
    const secret = base32Of(bytes)
    const label = encodeURIComponent(`Countersign (${host}):${email}`)
    const query = new URLSearchParams({ secret, issuer: `Countersign (${host})` })
    return {
      sealed: seal(bytes, key.export(), id),
      secret,
      uri: `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`,
    }
  },

  /**
   * The time step that a code is for: this one, the one before or the next, because clocks differ. Undefined if the code is wrong, or not
   * newer than the last one that was used.
   */
  stepOf(sealed: string, person_id: string, { code, at, last }: { code: string; at: number; last: number }) {
    const secret = unseal(sealed, key.export(), person_id)
    const typed = code.replaceAll(' ', '')
    const now = Math.floor(at / stepMs)
    return [now - 1, now, now + 1].find((step) => step > last && codeAt(secret, step) === typed)
  },
})

export type Authenticators = ReturnType<typeof createAuthenticators>
