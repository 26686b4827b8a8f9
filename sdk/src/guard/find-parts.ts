/**
 * A partly read name of the registry. Renderers hide what may separate its letters: emphasis marks, tags, comments, TeX
 * commands, and the start and end of links. They may show attribute values.
 */
export interface Part {
  word: string
  /** How many of its letters were read. */
  length: number
  /** The hidden part being skipped. */
  gap: 'none' | 'mark' | 'less-than' | 'anchor' | 'tag' | 'bracket' | 'target'
  /** Part of it is a link or a link's label. */
  isLinked: boolean
  /** It is split into several pieces. */
  isCut: boolean
  /** Where the letters after the last gap begin. */
  from: number
}

const mark = /[*_~`]/

/** After these, a value, an argument or plain text may begin. */
const endsInTag = /[>"'={}\s]/

const looks: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', '|': 'l', '。': '.' }

/** Maps letters that look alike to one of them. */
export const lookOf = (lower: string): string => lower.replace(/[01i|。]/g, (sign) => looks[sign] ?? sign)

/** The next states at a character: none, one or two readings. */
const follow = (part: Part, sign: string, look: string, at: number, isInTag: boolean): readonly Part[] => {
  const gapOf = (gap: Part['gap'], isLinked = part.isLinked): Part => ({ ...part, gap, isLinked, isCut: true })
  const letter = (): readonly Part[] =>
    part.word[part.length] === look
      ? [{ ...part, length: part.length + 1, from: part.gap === 'none' ? part.from : at, gap: 'none' }]
      : []
  const outside = (): readonly Part[] => {
    if (sign === '<') return [gapOf('less-than')]
    if (sign === '[') return [gapOf('mark', true), gapOf('target', true)]
    if (sign === ']') return [gapOf('bracket', true)]
    if (sign === '\\') return [gapOf('mark'), gapOf('tag', true), ...letter()]
    if (sign === '{' || sign === '}') return [gapOf('mark', true)]
    if (sign === '"' || sign === "'") return [gapOf('tag')]
    if (sign === '>') return [gapOf('mark')]
    if (isInTag && /\s/.test(sign)) return [gapOf('tag'), gapOf('mark')]
    return mark.test(sign) || sign === '!' ? [gapOf('mark'), ...letter()] : letter()
  }
  switch (part.gap) {
    case 'none':
    case 'mark':
      return outside()
    case 'less-than':
      return [gapOf(sign === '/' ? 'less-than' : sign === 'a' ? 'anchor' : 'tag')]
    case 'anchor':
      return [gapOf('tag', part.isLinked || !/[a-z]/.test(sign)), ...(sign === '>' ? [gapOf('mark', true)] : [])]
    case 'tag':
      return endsInTag.test(sign) ? [gapOf('tag'), gapOf('mark')] : [gapOf('tag')]
    case 'bracket':
      return sign === '(' ? [gapOf('target'), ...outside()] : outside()
    case 'target':
      return sign === ')' || sign === ']' ? [gapOf('target'), gapOf('bracket')] : [gapOf('target')]
  }
}

const nothing: { parts: readonly Part[]; complete: Part | undefined } = { parts: [], complete: undefined }

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
  if (parts.length === 0 && !words.some((word) => word[0] === look)) return nothing
  const next = new Map<string, Part>()
  let complete: Part | undefined
  for (const part of parts)
    for (const following of follow(part, sign, look, at, isInTag)) {
      if (following.length < following.word.length)
        next.set(`${following.word}/${following.length}/${following.gap}/${following.isLinked}`, following)
      else if (complete === undefined || following.isLinked) complete = following
    }
  for (const word of words)
    if (word[0] === look) {
      const part: Part = { word, length: 1, gap: 'none', isLinked: false, isCut: false, from: at }
      next.set(`${word}/1/none/false`, part)
    }
  return { parts: [...next.values()], complete }
}
