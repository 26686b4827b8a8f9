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
  /** A letter was added, left out, replaced or swapped; in names of seven letters or more, two. */
  | 'typo'
  /** The name with words before or after it. */
  | 'added_words'

/** Names with fewer letters are only compared whole: a typo of `ibm` is the name of someone else. */
export const leastForTypos = 5

/** Pairs and letters that people confuse in Latin script; TR39 lacks them, because it compares code points. */
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
export const plainOf = (text: string) => resembled(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

export const foldedOf = (plain: string) => {
  let text = plain
  for (const [pair, letter] of confusedPairs) text = text.replace(pair, letter)
  return [...text].map((letter) => confusedLetters[letter] ?? letter).join('')
}

/** From this many letters on, two edits still look like the name. */
export const leastForTwo = 7

/** Whether at most `most` edits turn `a` into `b`: a letter added, left out, replaced, or two neighbours swapped. */
const isNearby = (a: string, b: string, most: number): boolean => {
  if (Math.abs(a.length - b.length) > most) return false
  let [older, old]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    for (let column = 1; column <= b.length; column++) {
      const isEqual = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      now[column] = Math.min(
        (old[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (old[column - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwap ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...now) > most) return false
    ;[older, old] = [old, now]
  }
  return (old[b.length] ?? 0) <= most
}

/** How near two names are as text; undefined if they are not. */
const nearWord = (candidate: string, own: string): Nearness | undefined => {
  const [theirs, ours] = [plainOf(candidate), plainOf(own)]
  if (ours === '' || theirs === '') return undefined
  if (candidate.toLowerCase() === own.toLowerCase()) return 'same'
  if (theirs === ours || foldedOf(theirs) === foldedOf(ours)) return 'lookalike'
  if (ours.length < leastForTypos) return undefined
  const [foldedTheirs, foldedOurs] = [foldedOf(theirs), foldedOf(ours)]
  const isWithin = (most: number) => isNearby(theirs, ours, most) || isNearby(foldedTheirs, foldedOurs, most)
  if (isWithin(1)) return 'typo'
  if (theirs.includes(ours) || foldedTheirs.includes(foldedOurs)) return 'added_words'
  return ours.length >= leastForTwo && isWithin(2) ? 'typo' : undefined
}

/** Second-level labels under which countries register names. */
const shared = /^(ac|co|com|edu|gov|gob|gouv|go|net|ne|or|org|nom|in|me)$/

/** A log that lies may contain text that is not a domain name: with other dots, a port or a path. */
const separators = /[^\p{L}\p{N}\p{M}\p{Cf}_-]+/u

/** The labels of a domain in front of its ending, from the left, and the ending. */
export const partsOf = (domain: string): { labels: string[]; ending: string } => {
  const all = domain.toLowerCase().normalize('NFKC').split(separators).filter(Boolean).map(decodeLabel)
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
