import { foldedOf, leastForTwo, leastForTypos, partsOf, plainOf } from './names.ts'

/** Two edits after these letters don't change the keys. */
const prefixLength = 7
const headLength = 5

/** The word without up to `most` letters. */
const deletesOf = (word: string, most: number): Set<string> => {
  const found = new Set([word])
  let last = [word]
  for (let count = 0; count < most; count++) {
    last = [
      ...new Set(last.flatMap((text) => Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1)))),
    ]
    for (const text of last) found.add(text)
  }
  return found
}

const spellingsOf = (text: string) => {
  const plain = plainOf(text)
  return { plain, spellings: new Set([plain, foldedOf(plain)]) }
}

/**
 * Keys of a name of yours, to find it among many without comparing each: a name that is near it has one of them among its `nearProbes`. At
 * most 60.
 */
export const nearKeys = (own: string): string[] => {
  const { plain, spellings } = spellingsOf(own)
  if (plain === '') return []
  if (plain.length < leastForTypos) return [...spellings].map((word) => `=${word}`)
  const most = plain.length >= leastForTwo ? 2 : 1
  const keys = [...spellings].flatMap((word) => [
    ...deletesOf(word.slice(0, prefixLength), most),
    ...(word.length < headLength ? [] : [`^${word.slice(0, headLength)}`]),
  ])
  return [...new Set(keys)]
}

/** The keys to look up for another name, at least one for each name of yours that it is near. */
export const nearProbes = (candidate: string): string[] => {
  const { plain, spellings } = spellingsOf(candidate)
  if (plain === '') return []
  const probes = [...spellings].flatMap((word) => [
    `=${word}`,
    ...deletesOf(word.slice(0, prefixLength), 2),
    ...Array.from({ length: Math.max(0, word.length - headLength + 1) }, (_, start) => {
      return `^${word.slice(start, start + headLength)}`
    }),
  ])
  return [...new Set(probes)]
}

const mostLabels = 8

/** The words of a domain that are compared: the label under its ending, the labels in front of it, and all together. */
export const domainWords = (domain: string): { name: string; all: string[] } => {
  const labels = partsOf(domain).labels.slice(-mostLabels)
  return { name: labels.at(-1) ?? '', all: [...new Set([...labels, labels.join('')])] }
}
