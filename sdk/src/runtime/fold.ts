import { greekCapitals, lookalikes } from '../contract/lookalikes.ts'

/**
 * A text as it looks, and as programs that show it read it: escapes decoded, invisible characters and accents gone, letters
 * of all alphabets as the Latin ones that they resemble. Everything that is neither ASCII nor looks so is U+FFFD,
 * but for the ideographic full stop.
 */
export interface Folded {
  text: string
  /** `text` in lower case, character by character. */
  lower: string
  /** Where each character comes from: in the text as it was written. */
  starts: readonly number[]
  ends: readonly number[]
}

interface Read {
  text: string
  end: number
}

/** So many invisible characters in a row stand for one blank: nobody writes them, and they must not be held back for ever. */
const invisibleLimit = 64
/** `%2577` is read as `w` by whoever decodes twice. */
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
const named: Readonly<Record<string, string>> = {
  amp: '&',
  sol: '/',
  bsol: '\\',
  colon: ':',
  period: '.',
  commat: '@',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  num: '#',
  quest: '?',
  equals: '=',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '_',
  tab: '_',
  newline: '_',
  shy: '',
  zwj: '',
  zwnj: '',
  zerowidthspace: '',
  nobreak: '',
}

const latinOf = new Map<string, string>([
  ...lookalikes.flatMap(([latin, others]) =>
    [...others].flatMap((other) => [[other.toLowerCase(), latin] as const, [other, latin] as const]),
  ),
  ...Object.entries(greekCapitals).map(([capital, latin]) => [capital, latin.toLowerCase()] as const),
])

/* ---- one character ---- */

const isWhite = (character: string) => character !== '\uFEFF' && /\s/.test(character)

/** How one code point is read. An empty text where it shows nothing. */
const foldCharacter = (character: string): string => {
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
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,14})(?=;));?/iy

const foldAll = (text: string) => Array.from(text, foldCharacter).join('')

/** What was escaped ends no word. */
const keepTogether = (text: string) => text.replace(/[\s\uFFFD]/g, '_')

/** UTF-8 behind percent signs, one character; undefined where it is none. */
const readPercent = (text: string, at: number): Read | undefined => {
  percent.lastIndex = at
  if (!percent.test(text)) return undefined
  const first = Number.parseInt(text.slice(at + 1, at + 3), 16)
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const escaped = text.slice(at, at + 3 * length)
  try {
    return { text: keepTogether(foldAll(decodeURIComponent(escaped))), end: at + escaped.length }
  } catch {
    return undefined
  }
}

const readEntity = (text: string, at: number): Read | undefined => {
  entity.lastIndex = at
  const [whole, decimal, hex, name] = entity.exec(text) ?? []
  if (whole === undefined) return undefined
  const end = at + whole.length
  if (name !== undefined) {
    const known = Object.hasOwn(named, name.toLowerCase()) ? named[name.toLowerCase()] : undefined
    return known === undefined ? undefined : { text: known, end }
  }
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point > 0 && point <= 0x10ffff ? { text: keepTogether(foldAll(String.fromCodePoint(point))), end } : undefined
}

/** As in JSON: what a model writes may be read as that first. Behind another backslash it is the end of one. */
const readBackslash = (text: string, at: number): Read | undefined => {
  const sign = text[at + 1]
  if ((sign === 'n' || sign === 't') && text[at - 1] !== '\\') return { text: '\n', end: at + 2 }
  escapedUnit.lastIndex = at
  if (!escapedUnit.test(text)) return undefined
  return { text: keepTogether(foldAll(String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)))), end: at + 6 }
}

const readers: Readonly<Record<string, (text: string, at: number) => Read | undefined>> = {
  '%': readPercent,
  '&': readEntity,
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
    for (const _ of folded) {
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

/** Folds a text; where more of it follows, without an escape at its end that may not be complete. */
export const fold = (written: string, isFinal = true): Folded => {
  let folded: Mutable = { text: '', starts: [], ends: [] }
  const parts: string[] = []
  let unseen = 0
  for (let at = 0; at < written.length; ) {
    const character = String.fromCodePoint(written.codePointAt(at) ?? 0)
    const end = at + character.length
    let read = character > ' ' && character <= '~' ? character : foldCharacter(character)
    unseen = read === '' ? unseen + 1 : 0
    if (unseen === invisibleLimit) {
      read = ' '
      unseen = 0
    }
    for (const _ of read) {
      folded.starts.push(at)
      folded.ends.push(end)
    }
    if (read !== '') parts.push(read)
    at = end
  }
  folded.text = parts.join('')
  const unfinished = isFinal ? -1 : folded.text.search(unfinishedEscape)
  if (unfinished >= 0) folded = { ...folded, text: folded.text.slice(0, unfinished) }
  for (let decodings = 0; decodings < mostDecodings && /%[0-9a-f]{2}|&[#a-z]|\\(?:[nt]|u[0-9a-f]{4})/i.test(folded.text); decodings++) {
    const decoded = decodeOnce(folded)
    if (decoded.text === folded.text) break
    folded = decoded
  }
  return { ...folded, lower: folded.text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }
}
