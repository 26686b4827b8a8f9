import { greekCapitals, latinOf } from '../contract/lookalikes.ts'
import { isLinkCode } from '../verify/link-code.ts'
import { readName } from './references.ts'

/**
 * A text as it looks and as renderers read it: escapes are decoded, invisible characters and accents removed, and
 * letters of all alphabets replaced by similar Latin ones. Anything else that is not ASCII becomes U+FFFD, except the
 * ideographic full stop.
 */
export interface Folded {
  text: string
  /** `text` in lower case, character by character. */
  lower: string
  /** The same with U+FFFD for signs of markup that are escaped or only look like one. */
  marked: string
  /** The position of each character in the written text. Both are 0 for text that was already released. */
  starts: readonly number[]
  ends: readonly number[]
}

/** Whether something that folding left out stands before a position. */
export const isBehindInvisible = ({ starts, ends }: Pick<Folded, 'starts' | 'ends'>, at: number): boolean =>
  (starts[at] ?? 0) > (ends[at - 1] ?? 0)

interface Read {
  text: string
  end: number
}

/** `%2577` becomes `w` if it is decoded twice. */
const mostDecodings = 4

const invisible = /^[\p{Default_Ignorable_Code_Point}\p{M}\p{Cc}]$/u
const dashes = /^[\p{Pd}\u2212]$/u
const connectors = /^\p{Pc}$/u
const otherSigns: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '/∕⁄⧸╱⟋／',
    '\\∖⧵⧹╲',
    '.ꓸ۔․‧',
    // A full stop between the labels of a name (UTS #46 §4), and the end of a sentence everywhere else.
    '。。',
    ':꞉ː∶։׃',
  ].flatMap(([sign = '', ...others]) => others.map((other) => [other, sign])),
)
/* ---- one character ---- */

const isWhite = (character: string) => character !== '\uFEFF' && /\s/.test(character)

const seen = new Map<string, string>()
const mostSeen = 4_096

/** The reading of one code point; empty if it is invisible. */
const foldCharacter = (character: string): string => {
  const before = seen.get(character)
  if (before !== undefined) return before
  const read = readCharacter(character)
  if (seen.size === mostSeen) seen.clear()
  seen.set(character, read)
  return read
}

const readCharacter = (character: string): string => {
  if (/[\n\r\u0085\u2028\u2029]/.test(character)) return '\n'
  if (character <= '~' && character > ' ') return character
  if (isWhite(character) || character === '\u2800') return ' '
  if (invisible.test(character)) return ''
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '')
  return (
    Array.from(plain, foldSign)
      .join('')
      .replace(/\uFFFD+/g, '\uFFFD')
      // After a backslash, only the ASCII letters are JSON's escapes.
      .replace(/[nt]/g, (letter) => letter.toUpperCase())
  )
}

const foldSign = (sign: string): string => {
  if (dashes.test(sign)) return '-'
  if (connectors.test(sign)) return '_'
  const latin =
    sign > '~'
      ? (otherSigns[sign] ?? greekCapitals[sign]?.toLowerCase() ?? latinOf.get(sign) ?? latinOf.get(sign.toLowerCase()))
      : sign
  return latin ?? (isWhite(sign) ? ' ' : '\uFFFD')
}

/* ---- escapes ---- */

const percent = /(?:%[0-9a-f]{2})/iy
const escapedUnit = /\\u[0-9a-f]{4}/iy
const numbered = /&#(?:0*(\d{1,7})|x0*([0-9a-f]{1,6}))(?![0-9]);?/iy
const name = /&([a-z][a-z0-9]{1,30})(;?)/iy

const foldAll = (text: string) => Array.from(text, foldCharacter).join('')

/** An escaped character does not end a word. Browsers ignore tabs and line ends in an address (URL §4.4). */
const keepTogether = (character: string) =>
  /^[\t\n\r]$/.test(character) ? '' : foldAll(character).replace(/[\s\uFFFD]/g, '_')

/** One percent-encoded UTF-8 character; undefined if it is not valid. */
const readPercent = (text: string, at: number): Read | undefined => {
  percent.lastIndex = at
  if (!percent.test(text)) return undefined
  const first = Number.parseInt(text.slice(at + 1, at + 3), 16)
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const escaped = text.slice(at, at + 3 * length)
  try {
    return { text: keepTogether(decodeURIComponent(escaped)), end: at + escaped.length }
  } catch {
    return undefined
  }
}

const readReference = (text: string, at: number): Read | undefined => {
  numbered.lastIndex = at
  const [whole, decimal, hex = ''] = numbered.exec(text) ?? []
  if (whole !== undefined) {
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = point > 0 && point <= 0x10ffff
    return isCharacter ? { text: keepTogether(String.fromCodePoint(point)), end: at + whole.length } : undefined
  }
  name.lastIndex = at
  const [, letters, semicolon] = name.exec(text) ?? []
  const read = letters === undefined ? undefined : readName(letters, semicolon === ';')
  return read && { text: read.looks, end: at + 1 + read.length }
}

/** Crockford's reading of letters that look like digits. */
export const toCode = (symbols: string): string => symbols.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')

/** A whole code, which people read even if its first letter could be an escape. */
const codeBehind = /(?:-?[0-9a-z]){16}(?![0-9a-z])/iy

const isCode = (text: string, at: number): boolean => {
  codeBehind.lastIndex = at
  const symbols = codeBehind.exec(text)?.[0].replaceAll('-', '')
  return symbols !== undefined && isLinkCode(toCode(symbols))
}

/** A JSON escape, because the text may be parsed as JSON first. After another backslash it ends that one. */
const readBackslash = (text: string, at: number): Read | undefined => {
  const sign = text[at + 1]
  if ((sign === 'n' || sign === 't') && text[at - 1] !== '\\' && !isCode(text, at + 1))
    return { text: '\n', end: at + 2 }
  escapedUnit.lastIndex = at
  if (!escapedUnit.test(text)) return undefined
  const character = String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16))
  return { text: /[\t\n\r]/.test(character) ? '\n' : keepTogether(character), end: at + 6 }
}

const readers: Readonly<Record<string, (text: string, at: number) => Read | undefined>> = {
  '%': readPercent,
  '&': readReference,
  '\\': readBackslash,
}

interface Mutable {
  text: string
  starts: number[]
  ends: number[]
}

const decodeOnce = (from: Folded | Mutable): Mutable => {
  const into: Mutable = { text: '', starts: [], ends: [] }
  const parts: string[] = []
  for (let at = 0; at < from.text.length; ) {
    const sign = from.text[at] ?? ''
    const read = readers[sign]?.(from.text, at)
    const end = read?.end ?? at + 1
    const folded = read?.text ?? sign
    for (let index = 0; index < folded.length; index++) {
      into.starts.push(from.starts[at] ?? 0)
      into.ends.push(from.ends[end - 1] ?? 0)
    }
    parts.push(folded)
    at = end
  }
  into.text = parts.join('')
  return into
}

/** The position of an escape that may be incomplete and whose meaning depends on later text. */
const unfinishedEscape = /[&%\\][&%\\#;a-z0-9]{0,80}$|\\[nt](?:-?[0-9a-z]){0,15}-?$/i
const someEscape = /%[0-9a-f]{2}|&[#a-z]|\\(?:[nt]|u[0-9a-f]{4})/i
/** Leading zeros of a character's number. Some are kept, because they may be something else. */
const zeros = /&#x?0{7}$/i

export interface FoldOptions {
  /** The released text before it, folded, which later text may continue. */
  before?: string | undefined
  /** What to do with an escape at the end that may be incomplete: leave it out, keep it, or decode it. */
  unfinished?: 'left out' | 'as it is' | 'decoded' | undefined
}

const foldOnce = (written: string, before: string): Mutable => {
  const signs = Array.from({ length: before.length }, (_, at) => before[at] ?? '')
  const starts: number[] = signs.map(() => 0)
  const ends: number[] = signs.map(() => 0)
  for (let at = 0; at < written.length; ) {
    const character = String.fromCodePoint(written.codePointAt(at) ?? 0)
    const end = at + character.length
    const read = character > ' ' && character <= '~' ? character : foldCharacter(character)
    const isNothing = read === '0' && signs.at(-7) === '0' && zeros.test(signs.slice(-10).join(''))
    for (let index = 0; index < read.length && !isNothing; index++) {
      signs.push(read[index] ?? '')
      starts.push(at)
      ends.push(end)
    }
    at = end
  }
  return { text: signs.join(''), starts, ends }
}

const decode = (from: Mutable): Mutable => {
  let folded = from
  for (let decodings = 0; decodings < mostDecodings && someEscape.test(folded.text); decodings++) {
    const decoded = decodeOnce(folded)
    if (decoded.text === folded.text) break
    folded = decoded
  }
  return folded
}

/** Folds a text. */
export const fold = (written: string, { before = '', unfinished = 'decoded' }: FoldOptions = {}): Folded => {
  const all = foldOnce(written, before)
  const tail = unfinished === 'decoded' ? -1 : all.text.search(unfinishedEscape)
  const head = tail < 0 ? all.text.length : tail
  const folded = decode({ ...all, text: all.text.slice(0, head) })
  if (unfinished === 'as it is') {
    folded.text += all.text.slice(head)
    folded.starts = folded.starts.slice(0, folded.text.length - all.text.length + head).concat(all.starts.slice(head))
    folded.ends = folded.ends.slice(0, folded.text.length - all.text.length + head).concat(all.ends.slice(head))
  }
  const lower = folded.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const isWritten = (sign: string, at: number) => ['', sign].includes(written.slice(folded.starts[at], folded.ends[at]))
  const marked = lower.replace(/[()[\]<>"'\\]/g, (sign, at) => (isWritten(sign, at) ? sign : '\uFFFD'))
  // Comparing equal texts takes time; the same one does not.
  return { ...folded, lower, marked: marked === lower ? lower : marked }
}
