import { findLabelled, startsLabel } from './find-labelled.ts'
import { findLink, isBrokenToken, isSymbol, type LinkFinding, openToken, type View } from './find-link.ts'
import { createMarkup, isEscapedLine, leadsToOwn, type MarkupState, noMarkup, writtenAt } from './markup.ts'

/** What to do with a part of the folded text; text between such parts is unchanged. */
export type Decision = LinkFinding | { start: number; end: number; own: 'dropped'; isGlued?: never; isBehind?: never }

/** What the released text means for the text that follows. */
export interface ScanState {
  /** A long address is being removed. */
  isDropping: boolean
  /** Nothing has come since a link that reliably ends it. */
  isTrailing: boolean
  markup: MarkupState
  /** The end of the last decided part. `blank`: a space was added after it. */
  behind: 'text' | 'decision' | 'blank'
  /** The undecided text is a single word so far. */
  isInWord: boolean
  /** The length of the beginning of a word that was too long to hold back completely. */
  overlap: number
}

export const atRest: ScanState = {
  isDropping: false,
  isTrailing: false,
  markup: noMarkup,
  behind: 'text',
  isInWord: false,
  overlap: 0,
}

export interface Scan {
  decisions: readonly Decision[]
  /** Everything before it is decided and no later text can change that. */
  settled: number
  state: ScanState
}

/** Longer words are checked in overlapping pieces instead of being held back. */
const longestWord = 2_048
/** Tokens have at most 4096 characters; a longer word is not a token. */
const longestToken = 4_100
const lookBehind = 512

const isBlank = (character: string | undefined) => character === undefined || /[\s\uFFFD]/.test(character)
const endsAddress = /[\s\uFFFD。<>"'`|^{}]/
const endsTrail = /[\s<>]/
/** Characters that make a browser open a different page from the one that the text before them shows (URL §4.4). */
const dotSegment = /[\\/]+\.{1,2}(?:[\\/?#]|$)/

/** The end of the word, or of its part before a possible label. */
const endOfPiece = (lower: string, from: number) => {
  const longest = lower.startsWith('eyj', from) ? longestToken : longestWord
  let end = from
  while (end < lower.length && end - from < longest && !isBlank(lower[end]) && !startsLabel(lower, end)) end++
  return { end, isCut: end - from >= longest }
}

/** The start of the next piece of a long word: before anything that may continue in it. */
const startOfNext = (view: View, at: number, end: number) => {
  const token = openToken(view.folded.text, Math.max(at + 1, end - longestToken), end)
  return Math.max(Math.min(end - lookBehind, token ?? end), at + 1)
}

const endOf = (lower: string, from: number, pattern: RegExp) => {
  let end = from
  while (end < lower.length && !pattern.test(lower[end] ?? ' ')) end++
  return end
}

const longestMarks = 40
const longestTarget = 1_200
const marksOnly = /^[^\s\uFFFD。<>"'`)|^{}[a-z0-9]*$/
const goesOn = /^[^\s\uFFFD。<>"'`)|^{}[]*[a-z0-9[]/
const beforeOther = /^[^\s\uFFFD。<>"'`)|^{}[]*(?=\uFFFD)/

/** Whether only later text can say if an address continues: so far, nothing but marks has come after it, or the start of a target. */
const mayGrow = ({ folded: { lower }, isFinal, ownUrls }: View, end: number) => {
  if (isFinal) return false
  const after = lower.slice(end, end + longestTarget)
  return (
    (after.length < longestMarks && marksOnly.test(after)) ||
    ownUrls.some((url) => `](${url}`.toLowerCase().startsWith(after))
  )
}

/** Whether a program that detects addresses would include the text after one. */
const growsOn = (view: View, end: number) => {
  const { lower } = view.folded
  const after = lower.slice(end, end + longestMarks)
  const marks = beforeOther.exec(after)?.[0]
  const isLetter = marks !== undefined && /^[\p{L}\p{N}]/u.test(writtenAt(view, end + marks.length))
  return (goesOn.test(after) || isLetter) && !(lower.startsWith('](', end) && leadsToOwn(view, end + 2))
}

const overlapOf = (lower: string, at: number, from: number) => {
  let begin = at
  while (begin > Math.max(from, at - lookBehind) && !isBlank(lower[begin - 1])) begin--
  return at - begin
}

/**
 * Decides as much of a text as possible; text before `first` was released. The chunks make no difference: from the
 * first position that later text could affect, everything waits. With `until`, everything before it is decided as if
 * the text ended there.
 */
export const scan = (given: View, first: number, before: ScanState, until?: number): Scan => {
  const from = Math.max(first - before.overlap, 0)
  let view = until === undefined ? given : { ...given, isFinal: true }
  const { lower } = view.folded
  const decisions: Decision[] = []
  const markup = createMarkup(before.markup)
  let { isDropping, isTrailing } = before
  let isInWord = false
  let at = from
  let decided = from
  let last = { end: before.behind === 'text' ? -1 : first, isGlued: before.behind === 'blank' }
  // Invisible characters after a link belong to it; they are complete only when something else comes.
  const isLast = (found: { end: number } | undefined) => found?.end === lower.length && !view.isFinal
  /** Only then is it known whether a space must follow a link. */
  const isLastLink = (found: Pick<LinkFinding, 'end' | 'own'> | undefined) =>
    isLast(found) || (found?.own?.as === 'address' && mayGrow(view, found.end))

  /** Whether every program ends a link here: a plain space follows, and the link is not between `<` and `>`. */
  const endsLink = (place: number) => {
    const sign = writtenAt(view, place)
    return /[\n\r<]/.test(sign) || isEscapedLine(view, place) || (markup.state.tag === '' && /[\t\f ]/.test(sign))
  }

  /** Without the decided part, the rest of the word may be a name or a code. */
  const startAfresh = (place: number) => {
    if (!isSymbol(lower[place]) || !isSymbol(lower[place - 1])) return
    const { end } = endOfPiece(lower, place)
    const glued = view
      .findHosts(lower.slice(place, end))
      .map((host) => ({ start: host.start + place, end: host.end + place }))
    view = { ...view, hosts: [...glued, ...view.hosts.filter(({ start }) => start >= end)], decided: place }
  }
  if (last.end === first) startAfresh(first)

  const decide = (decision: Decision) => {
    const isSpaced = last.isGlued && last.end === decision.start
    const isBehind = decision.isBehind === true || (markup.state.isInAddress && !isSpaced)
    const isShown = decision.own !== undefined && decision.own !== 'dropped' && markup.showLink()
    if (!isShown) markup.skip()
    if (isShown) decisions.push({ ...decision, isBehind })
    else decisions.push(decision.own === 'dropped' ? decision : { ...decision, own: undefined })
    decided = decision.end
    last = { end: decided, isGlued: isShown && decision.isGlued === true }
    startAfresh(decided)
    if (decision.own !== 'dropped') isTrailing = isShown && decision.own?.as === 'address'
  }

  /** Whether nothing separates a position from the text before it. */
  const isClose = (place: number) => (place === last.end ? !last.isGlued : isSymbol(lower[place - 1]))

  /** Releases a part of the text, unless markup changes its meaning, up to where text was removed. */
  const pass = (to: number): boolean => {
    const odd = to > first ? markup.read(view, Math.max(at, first), to) : undefined
    if (odd !== undefined) decide({ ...odd, isBehind: isTrailing && isClose(odd.start) })
    at = odd?.end ?? to
    return odd === undefined
  }

  while (at < (until ?? lower.length) && at < lower.length) {
    if (isDropping) {
      const start = at
      at = endOf(lower, at, endsAddress)
      if (at > start) decide({ start, end: at, own: 'dropped' })
      isDropping = at === lower.length
      continue
    }
    if (endsLink(at)) isTrailing = false
    if (isBlank(lower[at])) {
      pass(at + 1)
      continue
    }
    if (startsLabel(lower, at)) {
      const labelled = findLabelled(view, at)
      if (labelled === 'open' || isLastLink(labelled)) break
      if (labelled === undefined) {
        pass(at + 1)
        continue
      }
      const next = lower[labelled.end] ?? ' '
      decide({
        start: at,
        ...labelled,
        // Programs find no address directly after a letter.
        isBehind: labelled.own?.as === 'address' && at !== last.end && isSymbol(lower[at - 1]),
        isGlued:
          labelled.own?.as === 'address' &&
          (growsOn(view, labelled.end) || !(endsAddress.test(next) || /[.,;:!?*_~)\]\\]/.test(next))),
      })
      at = labelled.end
      continue
    }
    const { end, isCut } = endOfPiece(lower, at)
    isInWord = end === lower.length && !isCut && !view.isFinal
    if (isInWord || (!view.isFinal && isBrokenToken(view.folded, at, end))) break
    const found = findLink(view, at, end)
    if (found === 'open' || isLastLink(found)) break
    const turn = isTrailing ? lower.slice(at, found?.start ?? end).search(dotSegment) : -1
    if (turn >= 0) {
      if (!pass(at + turn)) continue
      const start = at
      const stop = endOf(lower, start, endsTrail)
      if (isLast({ end: stop })) break
      at = stop
      decide({ start, end: at, own: undefined, isBehind: isClose(start) })
      isTrailing = true
      continue
    }
    if (!pass(found?.start ?? (isCut ? startOfNext(view, at, end) : end))) continue
    if (found === undefined) continue
    decide({ ...found, isGlued: found.isGlued || (found.own?.as === 'address' && growsOn(view, found.end)) })
    isDropping = isCut && found.end >= end
    at = found.end
  }
  const isCutOff = until !== undefined && at >= lower.length && !given.isFinal
  isDropping ||= isCutOff && decisions.length > 0 && decided === lower.length
  const isInOverlap = isCutOff || (until !== undefined && at < lower.length)
  const overlap = at < first ? first - at : isInOverlap ? overlapOf(lower, at, decided) : 0
  const settled = Math.max(at, first)
  const behind = last.end !== settled ? 'text' : last.isGlued ? 'blank' : 'decision'
  return { decisions, settled, state: { isDropping, isTrailing, markup: markup.state, behind, isInWord, overlap } }
}
