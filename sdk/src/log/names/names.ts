import { resembled } from '../../contract/lookalikes.ts'
import { decodeLabel } from './punycode.ts'

/** Why a name is near another one. */
export type Nearness =
  /** The same domain, one below it, or the same words. */
  | 'same'
  /** The same name at another ending, such as `.net`. */
  | 'other_ending'
  /** It looks the same: letters of other alphabets, digits for letters, `rn` for `m`. */
  | 'lookalike'
  /** One letter was added, left out, replaced or swapped. */
  | 'typo'
  /** The name with words before or after it. */
  | 'added_words'

/** Names with fewer letters are only compared whole: a typo of `ibm` is somebody else's name. */
const leastForTypos = 5

/** Pairs and letters that people confuse in Latin script; as TR39 does not, because it compares code points. */
const confusedPairs = [
  [/rn|nn|rr/g, 'm'],
  [/vv/g, 'w'],
  [/c[il]|d[il]/g, 'd'],
  [/lb/g, 'b'],
  [/lh/g, 'h'],
  [/[il]k|lc/g, 'k'],
] as const
const confusedLetters: Readonly<Record<string, string>> = {
  i: 'l',
  j: 'l',
  '1': 'l',
  '7': 't',
  d: 'b',
  '8': 'b',
  '6': 'b',
  e: 'c',
  '3': 'c',
  q: 'g',
  '9': 'g',
  m: 'n',
  r: 'n',
  v: 'u',
  '0': 'o',
  '5': 's',
  '2': 'z',
}

/** Without separators, as the eye reads it. */
const plainOf = (text: string) => resembled(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

const foldedOf = (plain: string) => {
  let text = plain
  for (const [pair, letter] of confusedPairs) text = text.replace(pair, letter)
  return [...text].map((letter) => confusedLetters[letter] ?? letter).join('')
}

/** Whether one edit turns `a` into `b`: a letter added, left out, replaced, or two neighbours swapped. */
const isOneEdit = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** How near two names are as text; undefined if they are not. */
const nearWord = (candidate: string, own: string): Nearness | undefined => {
  const [theirs, ours] = [plainOf(candidate), plainOf(own)]
  if (ours === '' || theirs === '') return undefined
  if (candidate.toLowerCase() === own.toLowerCase()) return 'same'
  if (theirs === ours || foldedOf(theirs) === foldedOf(ours)) return 'lookalike'
  if (ours.length < leastForTypos) return undefined
  if (isOneEdit(theirs, ours) || isOneEdit(foldedOf(theirs), foldedOf(ours))) return 'typo'
  return theirs.includes(ours) || foldedOf(theirs).includes(foldedOf(ours)) ? 'added_words' : undefined
}

/** Second-level labels under which countries register names. */
const shared = /^(ac|co|com|edu|gov|gob|gouv|go|net|ne|or|org|nom|in|me)$/

/** The labels of a domain in front of its ending, from the left, and the ending. */
const partsOf = (domain: string): { labels: string[]; ending: string } => {
  const all = domain.toLowerCase().replace(/\.$/, '').split('.').map(decodeLabel)
  const isShared = all.length > 2 && (all.at(-1) ?? '').length === 2 && shared.test(all.at(-2) ?? '')
  const cut = all.length - (isShared ? 2 : 1)
  return { labels: all.slice(0, Math.max(cut, 1)), ending: all.slice(cut).join('.') }
}

/**
 * How near a domain is to yours. Compares the label under the ending, each label in front of it, and all of them together, so that
 * `acme.example.net` and `acme-login.example` are found.
 */
export const nearDomain = (candidate: string, own: string): Nearness | undefined => {
  const [theirs, ours] = [candidate.toLowerCase(), own.toLowerCase()]
  if (theirs === ours || theirs.endsWith(`.${ours}`)) return 'same'
  const { labels, ending } = partsOf(theirs)
  const { labels: ownLabels, ending: ownEnding } = partsOf(ours)
  const name = ownLabels.at(-1) ?? ''
  if (labels.at(-1) === name && ending !== ownEnding) return 'other_ending'
  for (const label of [labels.at(-1) ?? '', ...labels.slice(0, -1), labels.join('')]) {
    const found = nearWord(label, name)
    if (found !== undefined) return found === 'same' ? 'added_words' : found
  }
  return undefined
}

/** How near a company's name or a model's identifier is to yours; also a domain of that name. */
export const nearName = (candidate: string, own: string): Nearness | undefined => nearWord(candidate, own)
