import { asciiBytes, decodeBase64url } from '#base64url'
import { importPublicKey, type PublicKey, verifySignature } from '#ed25519'
import { tokenLifetimeSeconds } from '../contract/limits.ts'
import type { Jwk, Jwks } from '../contract/signing.ts'
import type { Check, CheckName, Claims, Reason } from '../contract/verifications.ts'
import { isClaims } from './claims.ts'
import { isObject, isText } from './values.ts'

/** `typ` of a token, and of a token bound to an answer (RFC 8725 §3.11). */
export const tokenTypes = { plain: 'vt+jwt', bound: 'bound+jwt' } as const

const maxTokenLength = 4_096
const signatureBytes = 64

/** The header of a token; nothing in it is trusted. */
export interface TokenHeader {
  /** Algorithm. */
  alg?: unknown
  /** Type of token. */
  typ?: unknown
  /** ID of the key. */
  kid?: unknown
  /** Extensions that must be understood; tokens with any are rejected. */
  crit?: unknown
}

/** A parsed token; nothing about it is proven yet. */
export interface TokenReading {
  /** The header. */
  header: Readonly<TokenHeader>
  /** The claims. */
  claims: Claims
  /** The signed bytes (RFC 7515 §5.2). */
  signedBytes: Uint8Array<ArrayBuffer>
  /** The signature. */
  signature: Uint8Array<ArrayBuffer>
}

/**
 * `reason` is null for a valid token. `checks` has every check. Unless the registry signed the claims, all but the failed check
 * are `passed: null`.
 */
export interface TokenVerdict {
  /** Why the token is not valid; null if it is. */
  reason: Reason | null
  /** Whether the registry signed these claims, valid or not. */
  genuine: boolean
  /** Every check with its result. */
  checks: Check[]
}

/** Imported keys of a registry, by their `kid`. */
export type PublicKeys = ReadonlyMap<string, PublicKey>

/* ---- reading ---- */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const readObject = (part: string): { text: string; value: Record<string, unknown> } | undefined => {
  const bytes = decodeBase64url(part)
  if (bytes === undefined) return undefined
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    return isObject(value) && !Array.isArray(value) ? { text, value } : undefined
  } catch {
    return undefined
  }
}

/** Counts the members of an object in its JSON text, including duplicates. */
const countMembers = (json: string) => {
  let count = 0
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '"') isText = !isText
    else if (isText && character === '\\') index++
    else if (isText) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ':' && depth === 1) count++
  }
  return count
}

// RFC 7515 §4: readers could disagree about which duplicate counts.
const isUnambiguous = ({ text, value }: { text: string; value: object }) =>
  countMembers(text) === Object.keys(value).length

const readHeader = (part: string): Readonly<TokenHeader> | undefined => {
  const header = readObject(part)
  return header !== undefined && isUnambiguous(header) ? Object.freeze(header.value) : undefined
}

// Cached, because all tokens of a registry have the same header until its key changes.
let latest: { part: string; header: Readonly<TokenHeader> | undefined } = { part: '', header: undefined }

/**
 * Parses a compact JWS (RFC 7515 §3.1) with the claims of a token. Undefined for anything else.
 *
 * @returns Header, claims, signed bytes and signature, or undefined.
 * @example
 * ```ts
 * const kid = readToken(token)?.header.kid
 * ```
 */
export const readToken = (token: string): TokenReading | undefined => {
  const parts = token.split('.', 4)
  const [headerPart, claimsPart, signaturePart] = parts
  if (
    token.length > maxTokenLength ||
    headerPart === undefined ||
    claimsPart === undefined ||
    signaturePart === undefined ||
    parts.length > 3
  ) {
    return undefined
  }
  if (latest.part !== headerPart) latest = { part: headerPart, header: readHeader(headerPart) }
  const { header } = latest
  const claims = readObject(claimsPart)?.value
  const signature = decodeBase64url(signaturePart)
  if (header === undefined || claims === undefined || signature === undefined || !isClaims(claims)) return undefined
  const signedBytes = asciiBytes(token.slice(0, headerPart.length + 1 + claimsPart.length))
  return { header, claims, signedBytes, signature }
}

/**
 * Imports the keys of a JWKS, by `kid`. Skips other kinds of keys and broken ones.
 *
 * @returns The keys, for `checkToken`.
 * @example
 * ```ts
 * const keys = await importKeys(await client.signing.jwks())
 * ```
 */
export const importKeys = async ({ keys }: Jwks): Promise<PublicKeys> => {
  const imported = await Promise.all(
    keys.filter(isSigningKey).map(async (key) => {
      try {
        return [[key.kid, await importPublicKey(key)] as const]
      } catch {
        return []
      }
    }),
  )
  return new Map(imported.flat())
}

const isSigningKey = ({ kty, crv, alg, use, kid }: Jwk) =>
  kty === 'OKP' && crv === 'Ed25519' && (alg ?? 'EdDSA') === 'EdDSA' && (use ?? 'sig') === 'sig' && isText(kid)

/* ---- checking ---- */

type TokenCheck = Extract<CheckName, 'format' | 'signature' | 'issuer' | 'key' | 'time'>

/** The checks in order, each with its text for success. */
// The mark lets bundlers drop it from programs that check no tokens offline.
const tokenChecks = /* @__PURE__ */ Object.entries({
  format: 'A verification token',
  signature: 'The registry’s signature is valid',
  issuer: 'Issued by this registry',
  key: 'Signed with a current key',
  time: 'Within its 15 minutes',
} satisfies Record<TokenCheck, string>) as [TokenCheck, string][]

interface Refusal {
  check: TokenCheck
  reason: Reason
  detail: string
}

const refuse = (check: TokenCheck, reason: Reason, detail: string): Refusal => ({ check, reason, detail })

/** A check that was not made. */
export const notChecked = (check: CheckName, detail = 'Not checked'): Check => ({
  check,
  passed: null,
  detail,
  checked_at: null,
})

/** The checks of a valid token. */
export const goodChecks = (checked_at: string): Check[] =>
  tokenChecks.map(([check, detail]) => ({ check, passed: true, detail, checked_at }))

const verdictOf = (refusal: Refusal | undefined, nowMs: number): TokenVerdict => {
  const checked_at = new Date(nowMs).toISOString()
  if (refusal === undefined) return { reason: null, genuine: true, checks: goodChecks(checked_at) }
  // Only the time is checked after the signature. If an earlier check fails, no claim counts, so no check passes.
  const genuine = refusal.check === 'time'
  const failed: Check = { check: refusal.check, passed: false, detail: refusal.detail, checked_at }
  const checks = goodChecks(checked_at).map((check) =>
    check.check === failed.check ? failed : genuine ? check : notChecked(check.check),
  )
  return { reason: refusal.reason, genuine, checks }
}

const isBindingHonest = ({ header, claims }: TokenReading) =>
  [claims.bound_to_response, claims.response_hash !== undefined, claims.bound_by !== undefined].every(
    (isBound) => isBound === (header.typ === tokenTypes.bound),
  )

const formRefusal = (reading: TokenReading): Refusal | undefined => {
  const { header, signature } = reading
  if (header.alg !== 'EdDSA') return refuse('format', 'bad_signature', 'Not signed with EdDSA')
  if (header.typ !== tokenTypes.plain && header.typ !== tokenTypes.bound)
    return refuse('format', 'malformed', 'Another kind of token')
  if (header.crit !== undefined) return refuse('format', 'malformed', 'Unknown critical extension')
  if (signature.length !== signatureBytes) return refuse('format', 'malformed', 'Cut off or damaged')
  if (!isBindingHonest(reading)) return refuse('format', 'claim_mismatch', 'Its type contradicts its answer')
  return undefined
}

/** What is wrong with a token's times, by this machine's clock. */
export const timeRefusal = (
  { iat, exp }: Pick<Claims, 'iat' | 'exp'>,
  nowMs: number,
  clockToleranceSeconds: number,
): Refusal | undefined => {
  const now = nowMs / 1_000
  if (exp <= iat || exp - iat > tokenLifetimeSeconds)
    return refuse('time', 'claim_mismatch', 'Its lifetime is too long')
  // Also fails if the clock returns NaN.
  if (!(iat <= now + clockToleranceSeconds))
    return refuse('time', 'claim_mismatch', 'Issued in the future: check this clock')
  if (!(now < exp + clockToleranceSeconds))
    return refuse('time', 'expired', `Valid until ${new Date(exp * 1_000).toISOString()}`)
  return undefined
}

/**
 * Checks a token's form, issuer, key, signature, binding and times, but no live state. `now` is in milliseconds since 1970. `alg`,
 * `typ`, `iss` and `kid` are pinned; keys in the header (`jwk`, `jku`, `x5u`) are ignored. Synchronous in Node; returns a promise if
 * the platform's signatures are asynchronous.
 *
 * @returns The {@link TokenVerdict} with every check, or a promise of it.
 * @example
 * ```ts
 * const reading = readToken(token)
 * const keys = await importKeys(await client.signing.jwks())
 * const issuer = 'https://registry.example'
 * if (reading) console.log((await checkToken({ reading, keys, issuer, now: Date.now(), clockToleranceSeconds: 5 })).reason)
 * ```
 */
export const checkToken = (input: {
  reading: TokenReading
  keys: PublicKeys
  issuer: string
  now: number
  clockToleranceSeconds: number
}): TokenVerdict | Promise<TokenVerdict> => {
  const { reading, keys, issuer, now } = input
  const { header, claims, signedBytes, signature } = reading
  const end = (refusal: Refusal | undefined) => verdictOf(refusal, now)

  const badForm = formRefusal(reading)
  if (badForm) return end(badForm)
  if (claims.iss !== issuer)
    return end(refuse('issuer', 'foreign_registry', `Issued by a registry other than ${issuer}`))
  // Every key has a text as its ID.
  const key = keys.get(header.kid as string)
  if (key === undefined) return end(refuse('key', 'unknown_key', 'The registry has no such key'))

  const conclude = (isValid: boolean) => {
    if (!isValid) return end(refuse('signature', 'bad_signature', 'The signature does not match'))
    return end(timeRefusal(claims, now, input.clockToleranceSeconds))
  }
  const isValid = verifySignature(key, signedBytes, signature)
  return typeof isValid === 'boolean' ? conclude(isValid) : isValid.then(conclude)
}
