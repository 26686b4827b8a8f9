import { formatLinkCode } from '../verify/link-code.ts'
import { readToken, tokenTypes } from '../verify/token.ts'
import { findCode, type KnownCodes, nearestOwn } from './find-code.ts'
import { type Folded, isBehindInvisible, toCode } from './fold.ts'
import type { HostFinding } from './registry-host.ts'

/** A token of a registry, signed or not. */
export interface TokenFinding {
  start: number
  end: number
  /** The code of its link, if the link is the session's. */
  code: string | undefined
}

/** A text to scan: folded, with what is known about it. */
export interface View {
  /** The text as written. */
  written: string
  folded: Folded
  hosts: readonly HostFinding[]
  findHosts(lower: string): readonly HostFinding[]
  /** Also true for the empty text of a mention that was already released. */
  isPlainHost(mention: string): boolean
  tokens: readonly TokenFinding[]
  known: KnownCodes
  /** The session's links as issued. */
  ownUrls: readonly string[]
  /** Whether the text is complete. */
  isFinal: boolean
  /** The end of the last link that was decided, if a letter or digit follows. */
  decided?: number | undefined
}

/** A link, a code or a token, and whether it is the session's. Positions are in the folded text. */
export interface LinkFinding {
  start: number
  end: number
  /** If it is the session's own link: its code, and the form it is written in. */
  own: { code: string; as: 'address' | 'code' | 'token' } | undefined
  /** A word directly after it would be read as part of it. */
  isGlued?: boolean | undefined
  /** It follows an address directly, and so would its replacement. */
  isBehind?: boolean | undefined
}

/** Nothing, a link, or `open` if that depends on later text. */
export type Found = LinkFinding | 'open' | undefined

const afterPath = /[\\/](?:v|verify)[\\/]+/y
const codePath = /[\\/](?:v|verify)[\\/]+$/
const registryPath = /^(?:\.?:\d{1,64})?[\\/]+(?:v|verify|api)[\\/]/
/** Text after a name that makes it another address without a scheme: another label, a path or a query. */
const afterName = /^(?:\.[a-z0-9]|[a-z0-9-]*(?:[.。][a-z0-9-]+)*\.?(?::\d{1,64})?(?:[\\/]|[?#][a-z0-9]))/
/** A user name, as in an email address, with every character that email allows there (RFC 5322 §3.2.3). The host may be in any alphabet. */
const afterUser = /^(?:[^a-z0-9\s\uFFFD"(),;<>@[\]\\][^\s"(),;<>@[\]\\]{0,250})?@[^\s"'(),.:;?!]/
const scheme = /[a-z]:[\\/]|https?:|[\\/]{2}/
/** Only a user name and parent names are between the scheme and the host. */
const authority = /(?:https?:[\\/]*|(?<![\\/])[\\/]{2,})[^\\/?#]*$/
/** Some programs turn it into a link even without a scheme. */
const nameWithPath = /[a-z0-9]\.[a-z0-9-]+(?::\d+)?[\\/?#]/
const noAddress = /[\s\uFFFD。<>"'`|^{}]/
const noStart = /[\s\uFFFD。<>"'`|^{}()[\],*]/
const trailing = /[.,;:!?*_~)\]\\]/

/** The end of an address that continues at `from`, without punctuation of the surrounding sentence. */
const endOfAddress = ({ folded: { lower } }: View, start: number, from: number, to: number): number => {
  let end = from
  let parentheses = 0
  let brackets = 0
  for (; end < to; end++) {
    const character = lower[end] ?? ' '
    if (noAddress.test(character) || (character === '*' && lower[end + 1] === '*')) break
    if (character === '(') parentheses++
    else if (character === '[') brackets++
    else if (character === ')' && --parentheses < 0) break
    else if (character === ']' && --brackets < 0) break
  }
  return trimEnd(lower, Math.max(start, from), end)
}

/** The end of the word that continues a code from an earlier line. */
const endOfRest = ({ folded: { lower }, isFinal }: View, from: number) => {
  let end = from
  while (end < lower.length && !noAddress.test(lower[end] ?? ' ')) end++
  return end === lower.length && !isFinal ? 'open' : end
}

/** Without punctuation that ends a sentence. */
const trimEnd = (lower: string, from: number, to: number) => {
  let end = to
  while (end > from && trailing.test(lower[end - 1] ?? ' ')) end--
  return end
}

/** The part of the same address before a host or a code. */
const addressBefore = ({ folded: { lower } }: View, from: number, at: number) => {
  let begin = at
  while (begin > from && !noStart.test(lower[begin - 1] ?? ' ')) begin--
  const before = lower.slice(begin, at)
  const match = scheme.exec(before)
  const isInAnother = match !== null && nameWithPath.test(before.slice(0, match.index))
  return {
    start:
      match === null
        ? startOfName(lower, begin, at)
        : isInAnother
          ? begin
          : startOfScheme(lower, begin, begin + match.index),
    before,
    hasScheme: match !== null,
  }
}

const startOfScheme = (lower: string, begin: number, at: number) => {
  let start = at
  // No more letters than `findCode` reads after a code: removing them all would leave the code alone.
  if (/[a-z]/.test(lower[at] ?? ' '))
    while (start > begin && start > at - 25 && /[a-z]/.test(lower[start - 1] ?? ' ')) start--
  return start
}

/** Subdomains before a host, and a user name before them. */
const startOfName = (lower: string, begin: number, at: number) => {
  let start = at
  while (start > begin && /[a-z0-9.-]/.test(lower[start - 1] ?? ' ')) start--
  if (start < at && lower[at - 1] !== '.') return at
  if (lower[start - 1] !== '@' || start === begin) return start
  let user = start - 1
  while (user > begin && !/[\s\\/@]/.test(lower[user - 1] ?? ' ')) user--
  return user
}

const isAddress = ({ folded: { lower } }: View, before: string, hasScheme: boolean, end: number) => {
  const after = lower.slice(end, end + 300)
  if (authority.test(before) || (hasScheme && before.endsWith('@'))) return true
  if (!hasScheme && afterUser.test(after)) return true
  return hasScheme || /[\\/]$/.test(before) ? registryPath.test(after) : afterName.test(after)
}

/**
 * Whether a mention only looks like the registry's host: it has escapes, invisible characters or letters of other
 * alphabets. Programs link bare names, and this one, or its part after an escape, leads elsewhere.
 */
const isDisguised = ({ folded, written, isPlainHost }: View, { start, end }: HostFinding) =>
  !isPlainHost(written.slice(folded.starts[start], folded.ends[end - 1]))

/* ---- codes and tokens ---- */

export const isSymbol = (character: string | undefined): boolean =>
  character !== undefined && /[0-9a-z]/.test(character)

/** A code begins at a letter or digit that does not follow one, or that may be separated from it. */
const isEdge = ({ folded, decided }: View, at: number) =>
  isSymbol(folded.lower[at]) && (!isSymbol(folded.lower[at - 1]) || at === decided || isBehindInvisible(folded, at))

/** Header and claims may be broken over lines; each position is checked, even inside what seemed to be another token. */
const tokenInText = /(?<![\w-])(?=(eyJ(?:[\w-]|\n+ *(?=[\w-])){0,400}\.(?:[\w-]|\n+ *(?=[\w-])){1,3600}\.[\w-]*))eyJ/g
const brokenToken = /^eyJ[\w-]*(?:\n *[\w-]*)*(?:\.[\w-]*(?:\n *[\w-]*)*(?:\.[\w-]*)?)?$/

/** The tokens of a folded text, in order. `codeOf` maps a `verification_id` to the session's link. */
export const findTokens = ({ text }: Folded, codeOf: (id: string) => string | undefined): readonly TokenFinding[] =>
  Array.from(text.matchAll(tokenInText)).flatMap(({ 1: written = '', index }) => {
    const token = readToken(written.replace(/[\n ]/g, ''))
    if (token === undefined || !Object.values(tokenTypes).some((type) => type === token.header.typ)) return []
    return [{ start: index, end: index + written.length, code: codeOf(token.claims.jti) }]
  })

/** Whether all lines after this one may continue a token that begins in it. */
export const isBrokenToken = ({ text }: Folded, from: number, to: number): boolean => {
  const start = text[to] === '\n' ? openToken(text, from, to) : undefined
  return start !== undefined && text.length - start < 4_100 && brokenToken.test(text.slice(start))
}

/** The start of a token that may continue after a position, at `from` or later. */
export const openToken = (text: string, from: number, to: number): number | undefined => {
  const match = /(?<![\w-])eyJ[\w-]*(?:\.[\w-]+){0,1}(?:\.[\w-]*)?$/.exec(text.slice(Math.max(from - 1, 0), to))
  return match === null ? undefined : Math.max(from - 1, 0) + match.index
}

/** The number of sorted items that are before a position. */
export const countBefore = (length: number, isBefore: (index: number) => boolean): number => {
  let low = 0
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The first of the sorted positions that is at least `from` and less than `to`. */
export const firstIn = <Place extends { start: number }>(
  places: readonly Place[],
  from: number,
  to: number,
): Place | undefined => {
  const place = places[countBefore(places.length, (index) => (places[index]?.start ?? from) < from)]
  return place !== undefined && place.start < to ? place : undefined
}

interface Code {
  kind: 'own' | 'foreign'
  code: string
  start: number
  end: number
}

/** The codes that begin in a part of the text, except symbols that belong to a code of the session. */
const findCodes = (
  view: View,
  from: number,
  to: number,
  isInLink: boolean,
  most = Number.POSITIVE_INFINITY,
): readonly Code[] | 'open' => {
  const { folded, known, isFinal } = view
  const codes: Code[] = []
  for (let at = from; at < to && codes.length < most; at++) {
    const found = isEdge(view, at) ? findCode(folded, at, known, isFinal, isInLink) : undefined
    if (found?.kind === 'open') return 'open'
    if (found === undefined) continue
    const own = found.kind === 'own' ? undefined : findOwn(view, at + 1, found.end)
    if (own === 'open') return 'open'
    const code = own ?? { ...found, start: at }
    codes.push(code)
    at = code.end - 1
  }
  return codes
}

/** Digits of a host and its port may, together with the beginning of a code, look like another code. */
const findOwn = (view: View, from: number, to: number): Code | 'open' | undefined => {
  const { folded, known, isFinal } = view
  for (let at = from; at < to; at++) {
    const found = isEdge(view, at) ? findCode(folded, at, known, isFinal) : undefined
    if (found?.kind === 'open') return 'open'
    if (found?.kind === 'own') return { ...found, start: at }
  }
  return undefined
}

/* ---- addresses ---- */

/** The code after `/v/`, even with spaces inside. Undefined if there is no code or no such path. */
const findPathCode = (view: View, from: number, to: number) => {
  const { lower } = view.folded
  for (let at = from; at < to; at++) {
    afterPath.lastIndex = at
    if (!afterPath.test(lower)) continue
    const path = afterPath.lastIndex
    const blanks = /^[\s*_`~-]{0,6}/.exec(lower.slice(path, path + 6))?.[0].length ?? 0
    if (path + blanks >= lower.length) return view.isFinal ? undefined : 'open'
    const code = findCode(view.folded, path + blanks, view.known, view.isFinal, true)
    if (code?.kind === 'open') return 'open'
    return { path, code }
  }
  return undefined
}

/** The issued link with a lower-case word directly after it. */
const findGlued = ({ folded: { text }, known }: View, path: number) => {
  const code = known.own.find((own) => text.startsWith(formatLinkCode(own), path))
  const end = path + formatLinkCode(code ?? '').length
  return code !== undefined && /^[a-z]+(?![\w/\\-])/.test(text.slice(end, end + 40)) ? { code, end } : undefined
}

const findMiscopied = ({ folded: { lower }, known }: View, path: number, end: number) => {
  const whole = /^[^\\/?#&]*/.exec(lower.slice(path, end))?.[0] ?? ''
  const tail = whole.slice(0, trimEnd(whole, 0, whole.length))
  const code = nearestOwn(toCode(tail.replace(/[^0-9a-z]/g, '')), known.own)
  return code === undefined ? undefined : { code, end: path + tail.length }
}

/** Classifies an address of the registry, or one that looks like it. */
const classifyAddress = (view: View, start: number, host: HostFinding, to: number): Found => {
  const { lower } = view.folded
  const end = endOfAddress(view, start, host.end, to)
  const inPath = findPathCode(view, host.end, end)
  if (inPath === 'open') return 'open'
  const before = findCodes(view, start, host.start, true)
  const after = findCodes(view, host.end, end, true)
  if (before === 'open' || after === 'open') return 'open'
  // Ignore codes that overlap the registry's own name.
  const codes = [...before.filter((code) => code.end <= host.start), ...after]
  const [first = inPath?.code] = codes
  // Include what a browser would read as part of the address; the rest belongs to the sentence.
  const reach = Math.max(first?.end ?? 0, ...codes.map((code) => code.end))
  const stop = first?.kind === 'own' && reach > to ? endOfRest(view, reach) : to
  if (stop === 'open') return 'open'
  const ended = first?.kind === 'own' && reach >= end ? endOfAddress(view, reach, reach, stop) : end
  const own = first?.kind === 'own' ? ({ code: first.code, as: 'address' } as const) : undefined
  const last = Math.max(ended, reach)
  if (first?.kind === 'foreign' || codes.some(({ kind }) => kind === 'foreign'))
    return { start, end: last, own: undefined }
  if (first !== undefined && own !== undefined) {
    const isWord = codes.length < 2 && !/[\\/?#&=%@]/.test(lower.slice(first.end, last))
    return { start, end: isWord ? first.end : last, own, isGlued: isWord && last > first.end }
  }
  const glued = inPath === undefined ? undefined : findGlued(view, inPath.path)
  if (glued !== undefined) return { start, end: glued.end, own: { code: glued.code, as: 'address' }, isGlued: true }
  const token = firstIn(view.tokens, start, end)
  if (token?.code !== undefined) return { start, end, own: { code: token.code, as: 'address' } }
  const miscopied = inPath === undefined ? undefined : findMiscopied(view, inPath.path, end)
  if (miscopied !== undefined) return { start, end: miscopied.end, own: { code: miscopied.code, as: 'address' } }
  return { start, end, own: undefined }
}

const findAddress = (view: View, from: number, to: number): Found => {
  for (let host = firstIn(view.hosts, from, to); host !== undefined; host = firstIn(view.hosts, host.start + 1, to)) {
    const { start, before, hasScheme } = addressBefore(view, from, host.start)
    if (isAddress(view, before, hasScheme, host.end) || (!hasScheme && isDisguised(view, host)))
      return classifyAddress(view, start, host, to)
  }
  return undefined
}

const findBareCode = (view: View, from: number, to: number): Found => {
  const codes = findCodes(view, from, to, false, 1)
  if (codes === 'open') return 'open'
  const [code] = codes
  if (code === undefined) return undefined
  const { start, before, hasScheme } = addressBefore(view, from, code.start)
  // A path spelled like the registry's under another host, or under none.
  if (codePath.test(before)) {
    const begin = hasScheme ? start : code.start - before.length
    return classifyAddress(view, begin, { start: begin, end: code.start }, to)
  }
  const { end } = code
  if (code.kind === 'own')
    return { start: code.start, end, own: { code: code.code, as: 'code' }, isGlued: isSymbol(view.folded.lower[end]) }
  return hasScheme
    ? { start, end: Math.max(endOfAddress(view, start, end, to), end), own: undefined }
    : { start: code.start, end, own: undefined }
}

/** The first link of the registry in a part of the text: an address, a bare code or a bare token. */
export const findLink = (view: View, from: number, to: number): Found => {
  const address = findAddress(view, from, to)
  if (address === 'open') return 'open'
  const code = findBareCode(view, from, address?.start ?? to)
  if (code !== undefined) return code
  const token = firstIn(view.tokens, from, address?.start ?? to)
  if (token === undefined) return address
  return {
    start: token.start,
    end: token.end,
    own: token.code === undefined ? undefined : { code: token.code, as: 'token' },
  }
}
