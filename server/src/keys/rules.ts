import { randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type NewApiKey, Refusal, type Role, type Scope } from '@countersign/sdk/contract'
import { hashSecret } from '../secrets.ts'

/*
 * csk_<8 to look up the row><43 secret><6 checksum>. The checksum lets a mistyped key be rejected, and a leaked one be recognised, without
 * asking the database.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const lookupLength = 8
const secretLength = 43
const checksumLength = 6

/** For secret scanners. */
export const apiKeyPattern = /^csk_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

const encodeNumber = (value: number, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text
}

/** Uniform over the alphabet: bytes that would favour its first letters are rejected. */
const randomText = (length: number): string => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}

const checksumOf = (text: string) => encodeNumber(crc32(text), checksumLength)

export const createApiKey = () => {
  const lookup = randomText(lookupLength)
  const body = `csk_${lookup}_${randomText(secretLength)}`
  const key = body + checksumOf(body)
  return { key, lookup, hash: hashSecret(key), prefix: `csk_${lookup}` }
}

/** The part that finds the key's row, or undefined if the text cannot be one of our keys. */
export const readApiKey = (key: string): { lookup: string } | undefined => {
  const [, lookup] = apiKeyPattern.exec(key) ?? []
  if (!lookup || checksumOf(key.slice(0, -checksumLength)) !== key.slice(-checksumLength)) return undefined
  return { lookup }
}

export const isSameHash = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Why a key may not be created: it would be allowed more than the credential that creates it. No scopes: everything. */
export const keyRefusal = ({
  caller,
  role,
  wanted,
}: {
  caller: readonly string[] | null
  /** Role of the person; undefined for a key. */
  role?: Role | undefined
  /** Null: everything. */
  wanted: readonly Scope[] | null
}): Refusal | undefined => {
  if (caller === null || wanted?.every((scope) => caller.includes(scope))) return undefined
  const who = role === undefined ? 'This key is restricted to' : `Your role, ${role}, allows only`
  return new Refusal('forbidden', `${who} ${caller.join(', ')}. The new key can only have these scopes.`)
}

/** Scopes as stored with a key; null: everything. */
export const scopesOf = (named: NewApiKey['scopes']): Scope[] | null => {
  const scopes = [...new Set(named)].filter((scope) => scope !== 'full')
  return scopes.length === 0 ? null : scopes
}

/** Why a key may not revoke another; every key may revoke itself. The service also lets members revoke keys that they made. */
export const revocationRefusal = (
  { scopes, key_id }: { scopes: readonly string[] | null; key_id: string | null },
  id: string,
): Refusal | undefined =>
  scopes === null || scopes.includes('account') || key_id === id
    ? undefined
    : new Refusal(
        'forbidden',
        'A key may revoke only itself, and a member only keys that they made. Ask an owner, or use a key with the scope account or without restrictions.',
      )
