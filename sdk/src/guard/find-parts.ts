/**
 * A partly read name of the registry. Renderers hide what may separate its letters: emphasis marks, tags, comments, TeX
 * commands, and the start and end of links. They may show attribute values.
 */
export interface Part {
  word: string
  /** How many of its letters were read. */
  length: number
  /** The hidden part being skipped. */
  gap: 'none' | 'mark' | 'tag' | 'target'
  /** It is split into several pieces. */
  isCut: boolean
  /** Where the letters after the last gap begin. */
  from: number
}

/** Not shown. A TeX command also counts as a tag. */
const mark = /[*_~`!{}>\\]/

/** After these, a value, an argument or plain text may begin. */
const endsInTag = /[>"'={}\s]/

const looks: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', '|': 'l', '。': '.' }

/** Maps letters that look alike to one of them. */
export const lookOf = (lower: string): string => lower.replace(/[01i|。]/g, (sign) => looks[sign] ?? sign)

/** The next states at a character: up to three readings. */
const follow = (part: Part, sign: string, look: string, at: number, isInTag: boolean): readonly Part[] => {
  const gapOf = (gap: Part['gap']): Part => ({ ...part, gap, isCut: true })
  if (part.gap === 'tag') return endsInTag.test(sign) ? [part, gapOf('mark')] : [part]
  if (part.gap === 'target') return /[)\]]/.test(sign) ? [part, gapOf('mark')] : [part]
  if (/[[\]]/.test(sign)) return [gapOf('mark'), gapOf('target')]
  if (/[<"']/.test(sign)) return [gapOf('tag')]
  if (isInTag && /\s/.test(sign)) return [gapOf('tag'), gapOf('mark')]
  const gaps = mark.test(sign) ? [gapOf('mark')] : []
  if (sign === '\\') gaps.push(gapOf('tag'))
  if (part.word[part.length] === look)
    gaps.push({ ...part, length: part.length + 1, from: part.gap === 'none' ? part.from : at, gap: 'none' })
  return gaps
}

/** Reads one more character. `complete`: it completes a split name. `isInTag`: a space may end a value. */
export const readParts = (
  parts: readonly Part[],
  words: readonly string[],
  lower: string,
  at: number,
  isInTag: boolean,
) => {
  const sign = lower[at] ?? ''
  const look = looks[sign] ?? sign
  if (parts.length === 0 && !words.some((word) => word[0] === look)) return { parts, complete: undefined }
  const next = new Map<string, Part>()
  /** If two states are equal, keep the one that is split. */
  const add = (part: Part) => {
    const key = `${part.word}/${part.length}/${part.gap}`
    if (!next.get(key)?.isCut) next.set(key, part)
  }
  let complete: Part | undefined
  for (const part of parts)
    for (const following of follow(part, sign, look, at, isInTag)) {
      if (following.length < following.word.length) add(following)
      else if (!complete?.isCut) complete = following
    }
  for (const word of words) if (word[0] === look) add({ word, length: 1, gap: 'none', isCut: false, from: at })
  return { parts: [...next.values()], complete }
}
