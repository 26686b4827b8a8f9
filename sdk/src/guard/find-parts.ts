/**
 * A name of the registry of which a part was read. Programs that show a text leave out what may stand between its letters:
 * marks of emphasis, tags, comments, commands of TeX, and where links begin and end. Values of attributes may be shown.
 */
export interface Part {
  word: string
  /** How many of its letters were read. */
  length: number
  /** What is being left out. */
  gap: 'none' | 'mark' | 'less-than' | 'anchor' | 'tag' | 'bracket' | 'target'
  /** Part of it is a link, or the label of one. */
  isLinked: boolean
  /** It is not in one piece. */
  isCut: boolean
  /** Where the letters behind the last gap begin. */
  from: number
}

const mark = /[*_~`]/

/** Behind these a value, an argument or plain text may begin. */
const endsInTag = /[>"'={}\s]/

const looks: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', '|': 'l', '。': '.' }

/** Letters that people take for one another, as one of them. */
export const lookOf = (lower: string): string => lower.replace(/[01i|。]/g, (sign) => looks[sign] ?? sign)

/** What may follow a part at a character: nothing, one or two readings of it. */
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

/** Reads one more character. `complete`: with it a name is, of which the parts stand apart. `isInTag`: a blank may end a value. */
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
