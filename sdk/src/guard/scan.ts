import { findClosingBracket, findLabelled, isLongAnchor, startsLabel } from './find-labelled.ts'
import { findLink, firstIn, isBrokenToken, isSymbol, type LinkFinding, openToken, type View } from './find-link.ts'

/** What is to be done with a part of the folded text; what lies between such parts is left alone. */
export type Decision = LinkFinding | { start: number; end: number; own: 'dropped'; isGlued?: never; isBehind?: never }

/** What is known of the text to come from what was let go. */
export interface ScanState {
  /** An address that does not end is being taken out. */
  isDropping: boolean
  /** No blank has come since a link: some programs take what follows it for more of it. */
  isTrailing: boolean
  /** The registry was shown, and no paragraph has ended since. */
  isShown: boolean
  /** A long anchor has not ended. */
  isInAnchor: boolean
  /** Where brackets are closed that were looked at with what they hold, in characters from what is settled. */
  closings: readonly number[]
  /** What is not settled is one word, so far. */
  isInWord: boolean
  /** So many of the last characters are the beginning of a word that was too long to wait for its end. */
  overlap: number
}

export const atRest: ScanState = {
  isDropping: false,
  isTrailing: false,
  isShown: false,
  isInAnchor: false,
  closings: [],
  isInWord: false,
  overlap: 0,
}

export interface Scan {
  decisions: readonly Decision[]
  /** What lies before is decided, whatever text may follow. */
  settled: number
  state: ScanState
}

/** No word is held back for longer: it is looked at piece by piece, and the pieces overlap. */
const longestWord = 2_048
/** No token is longer (4096), and what goes on behind it is none. */
const longestToken = 4_100
const kept = 512

const isBlank = (character: string | undefined) => character === undefined || /[\s\uFFFD]/.test(character)
const endsAddress = /[\s\uFFFD。<>"'`|^{}]/
const endsTrail = /[\s<]/
/** Leads a browser to another page than the text before it says (URL §4.4). */
const dotSegment = /[\\/]+\.{1,2}(?:[\\/?#]|$)/

/** The end of the word, or of the part of it before something that may be a label. */
const endOfPiece = (lower: string, from: number) => {
  const longest = lower.startsWith('eyj', from) ? longestToken : longestWord
  let end = from
  while (end < lower.length && end - from < longest && !isBlank(lower[end]) && !startsLabel(lower, end)) end++
  return { end, isCut: end - from >= longest }
}

/** Where the next piece of a long word begins: before all that may go on in it. */
const startOfNext = (view: View, at: number, end: number) => {
  const token = openToken(view.folded.text, Math.max(at + 1, end - longestToken), end)
  return Math.max(Math.min(end - kept, token ?? end), at + 1)
}

const endOf = (lower: string, from: number, pattern: RegExp) => {
  let end = from
  while (end < lower.length && !pattern.test(lower[end] ?? ' ')) end++
  return end
}

/** The target of a label that was too long, or too strange, to be looked at as one. */
const findStrayTarget = (lower: string, from: number, to: number, closings: readonly number[]) => {
  for (const { index } of lower.slice(from, to + 2).matchAll(/\](?:\(|: *<?[a-z]+:|\[)/g)) {
    const start = from + index
    if (start >= to || closings.includes(start)) continue
    const end = endOf(lower, start + 2, /[\s\uFFFD)]/)
    return { start, end: lower[end] === ')' ? end + 1 : end, own: undefined }
  }
  return undefined
}

const overlapOf = (lower: string, at: number, from: number) => {
  let begin = at
  while (begin > Math.max(from, at - kept) && !isBlank(lower[begin - 1])) begin--
  return at - begin
}

/**
 * Decides about as much of a text as can be decided; what lies before `first` was let go. How the text was cut into pieces makes no
 * difference: wherever the text to come could matter, everything from there on waits for it. With `until` everything before
 * that is decided as if no more came.
 */
export const scan = (given: View, first: number, before: ScanState, until?: number): Scan => {
  const from = Math.max(first - before.overlap, 0)
  const view = until === undefined ? given : { ...given, isFinal: true }
  const { lower } = view.folded
  const decisions: Decision[] = []
  let { isDropping, isTrailing, isShown, isInAnchor } = before
  const closings = before.closings.map((closing) => closing + first)
  let isInWord = false
  let at = from
  let decided = from
  // Invisible characters behind a link belong to it: they are all there only when something else comes.
  const isLast = (found: { end: number } | undefined) => found?.end === lower.length && !view.isFinal

  const decide = (decision: Decision) => {
    const isLost = isInAnchor && decision.own !== 'dropped'
    decisions.push(isLost ? { ...decision, own: undefined } : decision)
    decided = decision.end
    if (decision.own === 'dropped') return
    isTrailing = decision.own?.as === 'address'
    isShown ||= decision.own !== undefined
  }

  while (at < (until ?? lower.length) && at < lower.length) {
    if (isDropping) {
      const start = at
      at = endOf(lower, at, endsAddress)
      if (at > start) decide({ start, end: at, own: 'dropped' })
      isDropping = at === lower.length
      continue
    }
    if (endsTrail.test(lower[at] ?? ' ')) isTrailing = false
    if (isBlank(lower[at])) {
      if (/^\n *\n/.test(lower.slice(at, at + 8))) isShown = false
      at++
      continue
    }
    if (startsLabel(lower, at)) {
      const labelled = findLabelled(view, at)
      if (labelled === 'open' || isLast(labelled)) break
      if (labelled === undefined) {
        isInAnchor ||= isLongAnchor(view, at)
        const closing = lower[at] === '<' ? undefined : findClosingBracket(view, at)
        if (closing !== undefined) closings.push(closing)
        at++
        continue
      }
      const next = lower[labelled.end] ?? ' '
      decide({
        start: at,
        ...labelled,
        isGlued: labelled.own?.as === 'address' && !endsAddress.test(next) && !/[.,;:!?*_~)\]\\]/.test(next),
      })
      at = labelled.end
      continue
    }
    const { end, isCut } = endOfPiece(lower, at)
    isInWord = end === lower.length && !isCut && !view.isFinal
    if (isInWord || (!view.isFinal && isBrokenToken(view.folded, at, end))) break
    const found = findLink(view, at, end)
    if (found === 'open' || isLast(found)) break
    const turn = isTrailing ? lower.slice(at, found?.start ?? end).search(dotSegment) : -1
    if (turn >= 0) {
      const start = at + turn
      at = endOf(lower, start, endsTrail)
      decide({ start, end: at, own: undefined, isBehind: isSymbol(lower[start - 1]) })
      continue
    }
    const stray = isShown ? findStrayTarget(lower, at, found?.start ?? end, closings) : undefined
    if (stray !== undefined && !(found?.own && found.start <= stray.start + 3)) {
      decide({ ...stray, isBehind: isTrailing && isSymbol(lower[stray.start - 1]) })
      at = stray.end
      continue
    }
    if (found !== undefined) decide(found)
    else isShown ||= firstIn(view.hosts, at, end) !== undefined
    if (isInAnchor && lower.slice(at, found?.end ?? end).includes('</a')) isInAnchor = false
    isDropping = isCut && found !== undefined && found.end >= end
    at = found?.end ?? (isCut ? startOfNext(view, at, end) : end)
  }
  const isCutOff = until !== undefined && at >= lower.length && !given.isFinal
  isDropping ||= isCutOff && decisions.length > 0 && decided === lower.length
  const isInOverlap = isCutOff || (until !== undefined && at < lower.length)
  const overlap = at < first ? first - at : isInOverlap ? overlapOf(lower, at, decided) : 0
  const settled = Math.max(at, first)
  const ahead = closings.filter((closing) => closing >= at).map((closing) => closing - settled)
  return { decisions, settled, state: { isDropping, isTrailing, isShown, isInAnchor, closings: ahead, isInWord, overlap } }
}
