import { findLabelled, startsLabel } from './find-labelled.ts'
import { findLink, type LinkFinding, type View } from './find-link.ts'

/** What is to be done with a part of the folded text; what lies between such parts is left alone. */
export type Decision = LinkFinding | { start: number; end: number; own: 'dropped' }

export interface Scan {
  decisions: readonly Decision[]
  /** What lies before is decided, whatever text may follow. */
  settled: number
  /** What is not settled is one word, so far. */
  isInWord: boolean
  /** An address that does not end is being taken out. */
  isDropping: boolean
}

/** No word is held back for longer: it is looked at piece by piece, and the pieces overlap. */
const longestWord = 2_048
const kept = 512

const isBlank = (character: string | undefined) => character === undefined || /[\s\uFFFD]/.test(character)
const endsAddress = /[\s\uFFFD。<>"'`|^{}]/

/** The end of the word, or of the part of it before something that may be a label. */
const endOfPiece = (lower: string, from: number) => {
  let end = from
  while (end < lower.length && end - from < longestWord && !isBlank(lower[end]) && !startsLabel(lower, end)) end++
  return end
}

/**
 * Decides about as much of a text as can be decided, from a position on. How the text was cut into pieces makes no
 * difference: wherever the text to come could matter, everything from there on waits for it.
 */
export const scan = (view: View, from: number, wasDropping: boolean): Scan => {
  const { lower } = view.folded
  const decisions: Decision[] = []
  let isDropping = wasDropping
  let isInWord = false
  let at = from
  // Invisible characters behind a link belong to it: they are all there only when something else comes.
  const isLast = (found: { end: number } | undefined) => found?.end === lower.length && !view.isFinal

  while (at < lower.length) {
    if (isDropping) {
      const start = at
      while (at < lower.length && !endsAddress.test(lower[at] ?? ' ')) at++
      if (at > start) decisions.push({ start, end: at, own: 'dropped' })
      isDropping = at === lower.length
      continue
    }
    if (isBlank(lower[at])) {
      at++
      continue
    }
    if (startsLabel(lower, at)) {
      const labelled = findLabelled(view, at)
      if (labelled === 'open' || isLast(labelled)) break
      if (labelled !== undefined) decisions.push({ start: at, ...labelled })
      at = labelled?.end ?? at + 1
      continue
    }
    const end = endOfPiece(lower, at)
    const isCut = end - at >= longestWord
    isInWord = end === lower.length && !isCut && !view.isFinal
    if (isInWord) break
    const found = findLink(view, at, end)
    if (found === 'open' || isLast(found)) break
    if (found !== undefined) decisions.push(found)
    isDropping = isCut && found !== undefined && found.end >= end
    at = found?.end ?? (isCut ? end - kept : end)
  }
  return { decisions, settled: at, isInWord, isDropping }
}
