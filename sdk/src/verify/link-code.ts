/** Crockford base32. */
export const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 16
const checkLength = 2
/** The time in a code counts in quarter hours. */
export const bucketMs = 900_000
const maxInputLength = 4_096
/** Bounds the time for hostile text. */
const maxAddresses = 32

/**
 * What was typed or pasted. `code` has 16 symbols without hyphens; `origin` is that of the URL around it, or null. `mistyped` looks
 * like a code but cannot be one; `malformed` is anything else.
 */
export type LinkReading =
  | { kind: 'code'; code: string; origin: string | null }
  | { kind: 'token'; token: string; origin: string | null }
  | { kind: 'mistyped'; origin: string | null }
  | { kind: 'malformed'; origin: string | null }

/* ---- the code: Reed–Solomon (16,14) over GF(32) ---- */

/** Multiplication by α = 2 in GF(2^5) with x^5 + x^2 + 1. */
const double = (value: number) => (value << 1) ^ (value & 16 ? 0b100101 : 0)

// The generator (x + α)(x + α²) is x² + 6x + 8. Two consecutive roots detect any two wrong symbols.
const timesMiddle = Array.from({ length: 32 }, (_, value) => double(double(value)) ^ double(value))
const timesLast = Array.from({ length: 32 }, (_, value) => double(double(double(value))))

/** The two check symbols of 14 symbols: the remainder of message · x² by the generator. */
export const checkSymbols = (values: readonly number[]): [number, number] => {
  let high = 0
  let low = 0
  for (let index = 0; index < codeLength - checkLength; index++) {
    const feedback = (values[index] ?? 0) ^ high
    high = low ^ (timesMiddle[feedback] ?? 0)
    low = timesLast[feedback] ?? 0
  }
  return [high, low]
}

/**
 * Formats a code for people: `XXXX-XXXX-XXXX-XXXX`.
 *
 * @returns The code with hyphens.
 * @example
 * ```ts
 * formatLinkCode('W9042CKWGDNCX7S1') // W904-2CKW-GDNC-X7S1
 * ```
 */
export const formatLinkCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

/** Whether 16 upper-case symbols are a link code with the right check symbols. */
export const isLinkCode = (code: string): boolean => {
  const values = []
  for (const symbol of code) values.push(symbols.indexOf(symbol))
  if (values.length !== codeLength || values.includes(-1)) return false
  const [high, low] = checkSymbols(values)
  return values[codeLength - 2] === high && values[codeLength - 1] === low
}

/**
 * Whether a code's time allows a live link: minted in the last 15 minutes, by a clock that is at most 15 minutes off. True for one in
 * 256 random codes. Needs only the first two symbols.
 */
export const mayBeLive = (code: string, nowMs: number): boolean => {
  const bucket = symbols.indexOf(code[0] ?? '?') * 32 + symbols.indexOf(code[1] ?? '?')
  const age = (Math.floor(nowMs / bucketMs) - bucket) & 1_023
  return age <= 2 || age === 1_023
}

/* ---- reading what people and models write ---- */

type Found = { kind: 'code'; code: string } | { kind: 'token'; token: string } | { kind: 'mistyped' }

const invisible = /\p{Default_Ignorable_Code_Point}/gu
const anyWord = /[^\s<>"'`|]+/g
/** The address in a word, with or without a scheme. One inside another, as in `evil.example/?next=https://…`, is not where a browser goes. */
const addressInWord =
  /^(?:[^\\/@?#]*?(?=https?:)|[^a-z0-9[]{0,8})(https?:\/\/.+|(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?\/(?:v|verify|api)\/.*)/i
/** Marks a word as a path, a user at a host, or a query. Browsers read full-width marks the same way. */
const addressMark = /[\\/@＼／＠]|\w[?#]\w/
const pathTail = /\/(?:v|verify)\/([^/]*)/i
const asPrinted = /^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/
const wholeToken = /^[\w-]{8,}\.[\w-]+\.[\w-]*$/
const tokenInText = /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*(?![\w=-]|\.[\w-])/
const groupsInText = /(?<![A-Za-z0-9])[A-Za-z0-9]{3,5}(?:[\p{Pd}\u2212_ ][A-Za-z0-9]{3,5}){3}(?![A-Za-z0-9])/gu
const solidInText = /(?<![A-Za-z0-9])[A-Za-z0-9]{16}(?![A-Za-z0-9])/g

/** Reads letters and digits as symbols and ignores everything else. */
const symbolsIn = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** Sixteen letters in a sentence are not a code. One code in 400 has no digit; it must be in groups of four. */
const mayBeCode = (text: string) => /\d/.test(text) || /^\W*[A-Za-z]{4}(?:\W?[A-Za-z]{4}){3}\W*$/.test(text)

const findCode = (text: string): Found | undefined => {
  const code = symbolsIn(text)
  if (isLinkCode(code)) return { kind: 'code', code }
  return Math.abs(code.length - codeLength) <= 1 && mayBeCode(text) ? { kind: 'mistyped' } : undefined
}

const isToken = (text: string) => wholeToken.test(text) && (text.startsWith('eyJ') || text.length >= 64)

const decodePercent = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return ' '
    }
  })

/** Reads the end of a link's path. If spaces replace the hyphens, the code continues in the following words. */
const findInTail = (tail: string, following: string): Found | undefined => {
  const end = tail.search(/[)\]}>,;*]/)
  const segment = end < 0 ? tail : tail.slice(0, end)
  const token = segment.replace(/[.~!:]{1,8}$/, '')
  if (isToken(token)) return { kind: 'token', token }
  const found = findCode(segment)
  if (found?.kind === 'code' || end >= 0) return found
  let joined = segment
  for (const word of following.slice(0, 64).split(/\s+/)) {
    joined += ` ${word}`
    const longer = findCode(joined)
    if (longer?.kind === 'code') return longer
    if (symbolsIn(joined).length >= codeLength) return found ?? longer
  }
  return found
}

/** The URL that a browser would go to. Without a scheme it is https, or http on this machine. */
const parseAddress = (text: string): URL | null => {
  const address = /^https?:/i.test(text)
    ? text
    : `${/^(?:localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https'}://${text}`
  return URL.parse(address)
}

const readAddresses = (text: string): LinkReading | undefined => {
  let fallback: LinkReading | undefined
  let left = maxAddresses
  for (const { 0: word, index } of text.matchAll(anyWord)) {
    const address = addressInWord.exec(word)?.[1]
    const url = address && parseAddress(address)
    if (!url) continue
    if (left-- === 0) break
    const { origin } = url
    // Decoding after parsing: an escaped delimiter must not move the host.
    const tail = pathTail.exec(decodePercent(url.pathname))?.[1]
    const found =
      tail === undefined ? undefined : findInTail(tail, /[?#]/.test(address) ? '' : text.slice(index + word.length))
    if (found !== undefined) return { ...found, origin }
    fallback ??= { kind: 'malformed', origin }
  }
  return fallback
}

/** Skips addresses: those still here lead elsewhere (`ftp://host/v/…`, `https:host/v/…`, `host/…`), even if they carry a code. */
const findInText = (input: string): Found | undefined => {
  const text = input.replace(anyWord, (word) => (addressMark.test(word) ? ' ' : word))
  const trimmed = text.trim()
  const bare = trimmed.replace(/^[^\w]+/, '').replace(/[^\w=-]{1,64}$/, '')
  const token = [trimmed, bare, bare.replace(/[\r\n]+[ \t]*/g, '')].find(isToken) ?? tokenInText.exec(text)?.[0]
  if (token !== undefined) return { kind: 'token', token }
  const whole = findCode(text)
  if (whole !== undefined) return whole
  const solid = Array.from(text.matchAll(solidInText), (match) => findCode(match[0]))
  const grouped = Array.from(text.matchAll(groupsInText), (match) => findCode(match[0]))
  return [...grouped, ...solid].find((found) => found?.kind === 'code') ?? grouped.find((found) => found !== undefined)
}

/**
 * Reads a link code, a whole link or a token in any spelling by a person or a model: lower case, spaces, other dashes, `O` for `0`,
 * quotes, markdown, percent-encoding, within a sentence. Never throws; longer input than 4096 characters is `malformed`.
 *
 * @returns What was found, and the origin of its address; `malformed` or `mistyped` otherwise.
 * @example
 * ```ts
 * const reading = readLink('see https://registry.example/v/W904-2CKW-GDNC-X7S1.')
 * if (reading.kind === 'code') console.log(formatLinkCode(reading.code), reading.origin)
 * ```
 */
export const readLink = (input: string): LinkReading => {
  if (input.length > maxInputLength) return { kind: 'malformed', origin: null }
  if (isToken(input)) return { kind: 'token', token: input, origin: null }
  // Fast path for codes as the registry writes them.
  const spelled = asPrinted.test(input) ? input.replaceAll('-', '') : ''
  if (spelled !== '' && isLinkCode(spelled)) return { kind: 'code', code: spelled, origin: null }
  const visible = input.replace(invisible, '')
  const text = visible.includes('://') ? visible : decodePercent(visible)
  // In [text](target), only the target counts, because that is where a click goes.
  const withoutLabels = text.replace(/\[[^[\]]*\]\(/g, ' ')
  const linked = readAddresses(withoutLabels) ?? readAddresses(text)
  if (linked !== undefined) return linked
  const found = findInText(withoutLabels) ?? findInText(text)
  return found === undefined ? { kind: 'malformed', origin: null } : { ...found, origin: null }
}
