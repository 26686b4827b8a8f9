import { findLink, firstIn, type LinkFinding, type View } from './find-link.ts'

/** A text that stands for an address: `[label](address)`, `[label][name]`, `[name]: address` or `<a href="address">label</a>`. */
interface Labelled {
  label: readonly [from: number, to: number]
  /** Undefined where the address stands somewhere else. */
  target: readonly [from: number, to: number] | undefined
  end: number
}

/** What only the text to come will tell. */
type Read = Labelled | 'open' | undefined

const longestLabel = 400
const longestTarget = 1_200
const longestName = 100

/** The position of the closing character, `open` where the text ends before, or undefined where it does not come. */
const findClosing = (view: View, from: number, open: string, close: string, longest: number): number | 'open' | undefined => {
  const { lower } = view.folded
  let depth = 0
  for (let at = from; at < from + longest; at++) {
    const character = lower[at]
    if (character === undefined) return view.isFinal ? undefined : 'open'
    if (character === '\\') at++
    else if (character === open && ++depth > 3) return undefined
    else if (character === close && --depth < 0) return at
    else if (character === '\n' && /^\n *\n/.test(lower.slice(at, at + 8))) return undefined
  }
  return undefined
}

const readMarkdown = (view: View, at: number): Read => {
  const { lower } = view.folded
  const from = at + (lower[at] === '!' ? 2 : 1)
  const closing = findClosing(view, from, '[', ']', longestLabel)
  if (typeof closing !== 'number') return closing
  const label = [from, closing] as const
  const next = lower[closing + 1]
  if (next === undefined) return view.isFinal ? undefined : 'open'
  if (next === '(' || next === '[') {
    const end = findClosing(view, closing + 2, next, next === '(' ? ')' : ']', next === '(' ? longestTarget : longestName)
    if (typeof end !== 'number') return end
    return { label, target: next === '(' ? [closing + 2, end] : undefined, end: end + 1 }
  }
  return next === ':' ? readDefinition(view, label) : undefined
}

const readDefinition = (view: View, label: Labelled['label']): Read => {
  const { lower } = view.folded
  const [, blanks = '', target = ''] =
    /^([ \n]{0,4})([^\s\uFFFD。<>"'`]*)/.exec(lower.slice(label[1] + 2, label[1] + 2 + longestTarget)) ?? []
  const from = label[1] + 2 + blanks.length
  const end = from + target.length
  if (end >= lower.length && !view.isFinal) return 'open'
  return target === '' ? undefined : { label, target: [from, end], end }
}

const readAnchor = (view: View, at: number): Read => {
  const { lower } = view.folded
  const opened = findClosing(view, at + 2, '<', '>', longestTarget)
  if (typeof opened !== 'number') return opened
  for (let from = opened + 1; from < opened + longestLabel; from++) {
    if (from + 4 > lower.length) return view.isFinal ? undefined : 'open'
    if (lower.startsWith('</a>', from)) return { label: [opened + 1, from], target: [at + 2, opened], end: from + 4 }
  }
  return undefined
}

/** Whether something begins that may be such a label: `[`, `![` or `<a`. */
export const startsLabel = (lower: string, at: number): boolean => {
  const character = lower[at]
  // Behind slashes it is an address in numbers (RFC 3986 §3.2.2).
  if (character === '[') return !/[\\/@]/.test(lower[at - 1] ?? ' ')
  if (character === '!') return lower[at + 1] === '['
  return character === '<' && /^<a[\s/]/.test(lower.slice(at, at + 3))
}

export type LabelFinding = Pick<LinkFinding, 'end' | 'own'> | 'open' | undefined

/**
 * A label that is wrong about where it leads: one that leads to a link of the registry that is not the session's, or that
 * shows the registry and leads elsewhere. Undefined for every other: what is in it is looked at by itself.
 */
export const findLabelled = (view: View, at: number): LabelFinding => {
  const read = view.folded.lower[at] === '<' ? readAnchor(view, at) : readMarkdown(view, at)
  if (read === undefined || read === 'open') return read
  const { label, target, end } = read
  const led = target === undefined ? undefined : findLink(view, ...target)
  const shown = findLink(view, ...label)
  if (led === 'open' || shown === 'open') return 'open'
  if (led !== undefined && led.own === undefined) return { end, own: undefined }
  if (led?.own?.as === 'address') return undefined
  if (shown !== undefined) return { end, own: shown.own && { ...shown.own, as: 'address' } }
  return firstIn(view.hosts, ...label) !== undefined ? { end, own: undefined } : undefined
}
