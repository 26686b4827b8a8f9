import { isLinkCode, mayBeLive } from '../verify/link-code.ts'
import { lookOf } from './find-parts.ts'
import { type Folded, isBehindInvisible, toCode } from './fold.ts'

/** The codes that the guard knows were handed out. */
export interface KnownCodes {
  /** This session's, 16 symbols each. */
  own: readonly string[]
  isOthers(code: string): boolean
  nowMs: number
  /** The names of the registry and the session's codes, as `lookOf` reads them. */
  words: readonly string[]
}

export type CodeFinding =
  | { kind: 'own' | 'foreign'; code: string; end: number }
  /** It may still become a code, or turn out to be longer. */
  | { kind: 'open' }

const codeLength = 16
/** Not an ellipsis, which replaces removed text. */
const someSign = '(?!\\.{3})[^0-9a-z]'
/** HTML's character references. Browsers read these names without a semicolon as well. */
const reference =
  '&(?:[a-z][a-z0-9]{1,30};|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|[lr]aquo|not|reg|macr|deg|plusmn|acute|para|middot|cedil|frac|iquest|divide)'
const sign = `(?:${reference}|(?!<)${someSign})`
const tag = '<(?!/?a\\b)(?:[!/]?[a-z-][^<>\\n]{0,40}>|[^<>\\n]{0,42}$)'
/**
 * What follows is read up to 2,000 characters, so that reading stays fast. Each pattern reads every text in one way only: otherwise a
 * long text without an end would be read again and again.
 */
const upTo = '{0,2000}'
/** A title or an address in angle brackets, or the character alone if it has no end. */
const within = (start: string, end = start) => {
  const whole = `${start}(?:\\\\[^]|[^${end}\\\\])${upTo}(?:${end}|$)`
  return `${whole}|(?!${whole})${start}`
}
/** A title follows a blank, and an address in angle brackets the parenthesis. */
const plain = `[^()\\\\\\s]|\\\\[^]|\\s(?:${within('"')}|${within("'")}|(?!["']))`
const nested = (inner: string) => `\\((?:${plain}|${inner})${upTo}(?:\\)|$)`
/** Where a link leads. */
const target = `\\(\\s*(?:${within('<', '>')}|(?!<))(?:${plain}|${nested(nested(nested('(?!)')))})${upTo}(?:\\)|$)`
const label = `\\[(?:\\\\[^]|[^[\\]\\\\])${upTo}(?:\\]|$)`
const linked = `(?:${target}|${label})`
const element = `<(?:[/!?](?!--)|[a-z[])(?:${within('"')}|${within("'")}|[^>"'])${upTo}(?:>|$)`
/** Tags and links, in HTML, Slack's format, Markdown and BBCode. */
const links = [
  `<(?:[a-z][a-z0-9+.-]*:|[@#]|!(?!--))[^<>|]${upTo}(?:\\||$)`,
  element,
  `<!--(?:-?>|(?:(?!-->)[^])${upTo}(?:-->|$))`,
  `\\]${linked}`,
  `\\[(?:\\^|/?(?:url|color|[bisu])\\b)[^[\\]]${upTo}(?:\\]|$)`,
  '<[!/?]?$',
  '\\[/?(?:ur?|c(?:o(?:lo?)?)?)?$',
]
const picture = `!\\[(?:\\\\[^]|[^[\\]\\\\])${upTo}(?:\\](?:${linked}|$)|$)`
/** The beginning of a picture whose alternative text is shown, and what follows the text in its tag. A quote behind one letter would hold back ordinary text. */
const alternative = [`<img\\b[^<>]${upTo}?\\balt=["']?`, `(?<=[0-9a-z]{2})["'][^<>]${upTo}(?:>|$)`]
const anyOf = (most: number, ...pieces: readonly string[]) =>
  new RegExp(`(?:${[...pieces, sign].join('|')}){1,${most}}`, 'y')
const shown = (...pieces: readonly string[]) => anyOf(200, ...pieces, ...links, '\\s{1,2000}')
/** What may separate the symbols of a garbled code as written, and as programs show it that read markup, with or without pictures. */
const asWritten = anyOf(12, tag)
/** The same where `<` begins no tag. */
const asText = new RegExp(`(?:${reference}|${someSign}){1,12}`, 'y')
const asShown = [shown(picture), shown(...alternative)]
/** Only markup, as within the first group of `**Z**GFJ-1RN4-CRKY-KA79`. Each piece is read in one way: two readings would double the time. */
const markup = new RegExp(`^(?:(?=(${[picture, element, ...links, '[[*_~`]'].join('|').replaceAll('|$)', ')')}))\\1)+$`)
const symbol = /[0-9a-z]/
/** The longest host name (RFC 1035 §2.3.4). */
const longestStart = 255
/** The scheme of a URL, as long as `startOfScheme` reads it. */
const scheme = /^[a-z]{0,30}(:?)/

interface Reading {
  gap: RegExp
  /** `lower` or `marked`. */
  text: string
}

interface Symbols {
  symbols: string
  /** The sizes of the groups of symbols. */
  groups: readonly number[]
  gaps: readonly string[]
  end: number
  /** The text ended before this was decided. */
  isOpen: boolean
}

/**
 * Reads up to 16 symbols and their separators. Undefined if something else comes before the sixteenth, or if no
 * relevant code begins with them.
 */
const readSymbols = (
  folded: Folded,
  at: number,
  known: KnownCodes,
  isFinal: boolean,
  isInLink: boolean,
  { gap, text: lower }: Reading,
): Symbols | undefined => {
  const groups: number[] = []
  const gaps: string[] = []
  let symbols = ''
  let isPrinted = true
  let end = at
  for (;;) {
    const from = end
    while (symbols.length + end - from < codeLength && symbol.test(lower[end] ?? ' ')) end++
    symbols += toCode(lower.slice(from, end))
    if (symbols.includes('U')) return undefined
    groups.push(end - from)
    if (symbols.length === codeLength) break
    // What precedes the first symbol in a link is read as written.
    if (symbols === '' && gap !== asWritten) return undefined
    gap.lastIndex = end
    const between = end === lower.length ? '' : gap.exec(lower)?.[0]
    if (between === undefined) return undefined
    isPrinted &&= between === '-' && end - from === 4
    if (!isPrinted && symbols.length > 1 && !mayBecome(symbols, known)) return undefined
    end += between.length
    if (end === lower.length) return { symbols, groups, gaps, end, isOpen: true }
    if (!symbol.test(lower[end] ?? ' ')) return undefined
    gaps.push(between)
  }
  // Directly after a code, these may be removed, or shown as a link of their own: the code ends there.
  const rest = lower.slice(end, end + longestStart)
  const look = lookOf(rest)
  const [start, colon] = scheme.exec(rest) ?? []
  const isGlued = symbol.test(lower[end] ?? ' ') && !isBehindInvisible(folded, end)
  // The word after a link of the session is read with the link.
  if (isGlued && isInLink && known.own.includes(symbols)) return undefined
  if (isGlued && !colon && !known.words.some((word) => look.startsWith(word))) {
    const mayStart = start === rest || known.words.some((word) => word.startsWith(look))
    return mayStart && !isFinal ? { symbols, groups, gaps, end, isOpen: true } : undefined
  }
  return { symbols, groups, gaps, end, isOpen: rest === '' }
}

/** Whether it is spelled like nothing but a link code: `XXXX-XXXX-XXXX-XXXX`, with a letter. */
const isPrinted = ({ symbols, groups, gaps }: Symbols) =>
  /[A-Z]/.test(symbols) &&
  groups.length === 4 &&
  groups.every((size) => size === 4) &&
  gaps.every((between) => between === '-')

/** The sizes of the groups that programs show. */
const shownSizes = ({ groups, gaps }: Symbols) => {
  const sizes: number[] = []
  groups.forEach((size, index) => {
    const before = markup.test(gaps[index - 1] ?? '') ? sizes.pop() : 0
    sizes.push(size + (before ?? 0))
  })
  return sizes
}

/** Groups of one size, as written or as shown; the last may be smaller. */
const isRegular = (read: Symbols) =>
  [read.groups, shownSizes(read)].some(([first = 0, ...sizes]) =>
    sizes.every((size, index) => size === first || (index === sizes.length - 1 && size < first)),
  )

/** Whether it is part of a longer row of such groups, as in a serial number. */
const isWithin = ({ lower }: Folded, at: number, end: number) =>
  /[0-9a-z]-$/.test(lower.slice(at - 2, at)) || /^-[0-9a-z]/.test(lower.slice(end, end + 2))

/**
 * Which code begins at a position. Own codes are found in every spelling without quotes, others in every spelling that could be valid
 * now. Sixteen symbols that were never issued to this session are a foreign code only if their check symbols fit, and
 * if they are spelled as codes are or could be valid now. So a serial number or half a fingerprint stays.
 */
export const findCode = (
  folded: Folded,
  at: number,
  known: KnownCodes,
  isFinal: boolean,
  isInLink = false,
): CodeFinding | undefined => {
  const { lower, marked } = folded
  const find = (gap: RegExp, text: string) => findWith({ gap, text }, folded, at, known, isFinal, isInLink)
  const found = find(asWritten, lower) ?? find(asText, lower)
  if (found !== undefined) return found
  for (const text of new Set([lower, marked]))
    for (const gap of asShown) {
      const shownCode = find(gap, text)
      if (shownCode !== undefined) return shownCode
    }
  return undefined
}

const findWith = (
  reading: Reading,
  folded: Folded,
  at: number,
  known: KnownCodes,
  isFinal: boolean,
  isInLink: boolean,
): CodeFinding | undefined => {
  const read = readSymbols(folded, at, known, isFinal, isInLink, reading)
  if (read === undefined) return undefined
  const { symbols, end } = read
  if (symbols.length < codeLength)
    return !isFinal && (isInLink || mayBecome(symbols, known)) ? { kind: 'open' } : undefined
  const isOwn = known.own.includes(symbols)
  if (isOwn ? read.gaps.some(hasQuote) : !isForeign(folded, at, read, known, isInLink)) return undefined
  return read.isOpen && !isFinal ? { kind: 'open' } : { kind: isOwn ? 'own' : 'foreign', code: symbols, end }
}

/** Whether it has a quote outside a tag. Removing one could leave an attribute open. */
const hasQuote = (between: string) => /["']/.test(between.replace(/<[^<>]*>/g, ''))

const isForeign = (folded: Folded, at: number, read: Symbols, known: KnownCodes, isInLink: boolean) => {
  const isLive = mayBeLive(read.symbols, known.nowMs)
  if (known.isOthers(read.symbols)) return isLive || isPrinted(read)
  if (!isLinkCode(read.symbols)) return false
  return isPrinted(read) ? isLive || !isWithin(folded, at, read.end) : isLive && (isInLink || isRegular(read))
}

const mayBecome = (symbols: string, { own, nowMs }: KnownCodes) =>
  symbols.length < 2 || mayBeLive(symbols, nowMs) || own.some((code) => code.startsWith(symbols))

/* ---- mistyped codes ---- */

const mostMistakes = 2

/** The session’s code that differs from an invalid one in at most two symbols (wrong, missing or one too many). */
export const nearestOwn = (symbols: string, own: readonly string[]): string | undefined => {
  if (Math.abs(symbols.length - codeLength) > mostMistakes || isLinkCode(symbols)) return undefined
  let nearest: { code: string; mistakes: number } | undefined
  for (const code of own) {
    const mistakes = countMistakes(symbols, code)
    if (mistakes <= mostMistakes && mistakes < (nearest?.mistakes ?? mostMistakes + 1)) nearest = { code, mistakes }
  }
  return nearest?.code
}

/** The Levenshtein distance. */
const countMistakes = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let index = 0; index < left.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < right.length; column++) {
      const isSame = left[index] === right[column]
      next.push(Math.min((row[column] ?? 0) + (isSame ? 0 : 1), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? left.length
}
