import { greekCapitals, lookalikes } from '../contract/lookalikes.ts'
import { readName } from './references.ts'

/**
 * A text as it looks, and as programs that show it read it: escapes decoded, invisible characters and accents gone, letters
 * of all alphabets as the Latin ones that they resemble. Everything that is neither ASCII nor looks so is U+FFFD,
 * but for the ideographic full stop.
 */
export interface Folded {
  text: string
  /** `text` in lower case, character by character. */
  lower: string
  /** Where each character comes from: in the text as it was written. Both are 0 for what was let go before. */
  starts: readonly number[]
  ends: readonly number[]
}

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
    ['/', '∕⁄⧸╱⟋／'],
    ['\\', '∖⧵⧹╲'],
    ['.', 'ꓸ۔․‧'],
    // A full stop between the labels of a name (UTS #46 §4), and the end of a sentence everywhere else.
    ['。', '。'],
    [':', '꞉ː∶։׃'],
  ].flatMap(([sign = '', others = '']) => [...others].map((other) => [other, sign])),
)
const latinOf = new Map<string, string>([
  ...lookalikes.flatMap(([latin, others]) =>
    [...others].flatMap((other) => [[other.toLowerCase(), latin] as const, [other, latin] as const]),
  ),
  ...Object.entries(greekCapitals).map(([capital, latin]) => [capital, latin.toLowerCase()] as const),
])

/* ---- one character ---- */

const isWhite = (character: string) => character !== '\uFEFF' && /\s/.test(character)

const seen = new Map<string, string>()
const mostSeen = 4_096

/** How one code point is read. An empty text where it shows nothing. */
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
  return Array.from(plain, foldSign)
    .join('')
    .replace(/\uFFFD+/g, '\uFFFD')
}

const foldSign = (sign: string): string => {
  if (dashes.test(sign)) return '-'
  if (connectors.test(sign)) return '_'
  const latin = sign > '~' ? (otherSigns[sign] ?? latinOf.get(sign) ?? latinOf.get(sign.toLowerCase())) : sign
  return latin ?? (isWhite(sign) ? ' ' : '\uFFFD')
}

/* ---- escapes ---- */

const percent = /(?:%[0-9a-f]{2})/iy
const escapedUnit = /\\u[0-9a-f]{4}/iy
const numbered = /&#(?:0*(\d{1,7})|x0*([0-9a-f]{1,6}))(?![0-9]);?/iy
const name = /&([a-z][a-z0-9]{1,30})(;?)/iy

const foldAll = (text: string) => Array.from(text, foldCharacter).join('')

/** What was escaped ends no word. In an address browsers pass over tabs and ends of lines (URL §4.4). */
const keepTogether = (character: string) =>
  /^[\t\n\r]$/.test(character) ? '' : foldAll(character).replace(/[\s\uFFFD]/g, '_')

/** UTF-8 behind percent signs, one character; undefined if it is not valid. */
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

/** As in JSON: what a model writes may be read as that first. Behind another backslash it is the end of one. */
const readBackslash = (text: string, at: number): Read | undefined => {
  const sign = text[at + 1]
  if ((sign === 'n' || sign === 't') && text[at - 1] !== '\\') return { text: '\n', end: at + 2 }
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

/** Where an escape may not be complete; text to come would make another character of it. */
const unfinishedEscape = /[&%\\][&%\\#;a-z0-9]{0,80}$/i
const someEscape = /%[0-9a-f]{2}|&[#a-z]|\\(?:[nt]|u[0-9a-f]{4})/i
/** Zeros before the number of a character: some are kept, for they may be something else. */
const zeros = /&#x?0{7}$/i

export interface FoldOptions {
  /** What came before, folded: let go, and part of what follows. */
  before?: string
  /** What to do with an escape at the end that may be incomplete: leave it out, keep it, or decode it. */
  unfinished?: 'left out' | 'as it is' | 'decoded'
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
  return { ...folded, lower: folded.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }
}
