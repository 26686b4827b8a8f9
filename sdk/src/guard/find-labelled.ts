import { findLink, firstIn, type LinkFinding, type View } from './find-link.ts'
import { isLiteral } from './markup.ts'

/**
 * A text with a hidden address: `[label](address)`, `[label][name]`, `[name]: address`, `<a href="address">label</a>`,
 * or a chat's own syntax.
 */
interface Labelled {
  label: readonly [from: number, to: number]
  /** Undefined if the address is elsewhere. */
  target: readonly [from: number, to: number] | undefined
  end: number
}

/** Depends on text that has not arrived yet. */
type Read = Labelled | 'open' | undefined

const longestLabel = 400
const longestTarget = 1_200
const longestName = 100

const deepest = 32

/** The end of a paragraph, or a fence: removing it would turn the text after it into code. */
const endsText = /^\n(?: *\n|[ >]*(?:```|~~~))/

/** The position of the closing character, `open` if the text ends before it, or undefined if there is none. */
const findClosing = (
  view: View,
  from: number,
  open: string,
  close: string,
  longest: number,
): number | 'open' | undefined => {
  const { lower } = view.folded
  const isTag = close === '>'
  let depth = 0
  for (let at = from; at < from + longest; at++) {
    const character = lower[at]
    if (character === undefined) return view.isFinal ? undefined : 'open'
    if (character === '\\') at++
    else if (character === open && isLiteral(view, at) && ++depth > deepest) return undefined
    else if (character === close && (isTag || isLiteral(view, at)) && --depth < 0) return at
    else if (character === '\n' && !isTag && endsText.test(lower.slice(at, at + 12))) return undefined
  }
  return undefined
}

const readMarkdown = (view: View, at: number): Read => {
  const { lower } = view.folded
  const from = at + (lower[at] === '!' ? 2 : 1)
  // Few programs open a label with another sign, so `markup.ts` removes only its target.
  if (!isLiteral(view, from - 1)) return undefined
  const closing = findClosing(view, from, '[', ']', longestLabel)
  if (typeof closing !== 'number') return closing
  const label = [from, closing] as const
  const next = lower[closing + 1]
  if (next === undefined) return view.isFinal ? undefined : 'open'
  if (next === '(' || next === '[') {
    const end = findClosing(
      view,
      closing + 2,
      next,
      next === '(' ? ')' : ']',
      next === '(' ? longestTarget : longestName,
    )
    if (typeof end !== 'number') return end
    return { label, target: next === '(' ? [closing + 2, end] : undefined, end: end + 1 }
  }
  return next === ':' ? readDefinition(view, label) : undefined
}

const readDefinition = (view: View, label: Labelled['label']): Read => {
  const { lower } = view.folded
  const [whole = '', before = '', target = ''] =
    /^([ \n]*<?)([^\s\uFFFD。<>"'`]*)>?/.exec(lower.slice(label[1] + 2, label[1] + 2 + longestTarget)) ?? []
  const from = label[1] + 2 + before.length
  const end = from + target.length
  if (end >= lower.length && !view.isFinal) return 'open'
  return target === '' ? undefined : { label, target: [from, end], end: label[1] + 2 + whole.length }
}

const readAnchor = (view: View, at: number): Read => {
  const { lower } = view.folded
  const opened = findClosing(view, at + 2, '<', '>', longestTarget)
  if (typeof opened !== 'number') return opened
  const target = [at + 2, opened] as const
  if (!isAnchor.test(lower.slice(at, at + 3)) || !lower.slice(...target).includes('href'))
    return { label: [opened, opened], target, end: opened + 1 }
  for (let from = opened + 1; from < opened + longestLabel; from++) {
    if (from + longestClosing > lower.length && !view.isFinal) return 'open'
    if (
      from >= lower.length ||
      endsText.test(lower.slice(from, from + 12)) ||
      /^<a[\s/>]/.test(lower.slice(from, from + 3))
    )
      return { label: [opened + 1, from], target, end: from }
    const [closing] = (lower[from] === '<' && /^<\/a\s{0,8}>/.exec(lower.slice(from, from + longestClosing))) || []
    if (closing !== undefined) return { label: [opened + 1, from], target, end: from + closing.length }
  }
  return undefined
}

/** The syntax of Slack, forums and TeX, and of any beginning of each. */
const otherKinds = [
  [/^<([^\s<>|]{1,1200})\|([^<>\n]{0,400})>/d, /^<[^\s<>|]{0,1200}(?:\|[^<>\n]{0,400})?$/],
  [/^\[url=([^\s\]]{1,1200})\]([^\n]{0,400}?)\[\/url\]/d, /^\[url=[^\s\]]{0,1200}(?:\][^\n]{0,406})?$/],
  [/^\\href\{([^\s{}]{1,1200})\}\{([^{}\n]{0,400})\}/d, /^\\href\{[^\s{}]{0,1200}(?:\}(?:\{[^{}\n]{0,400})?)?$/],
] as const

const startsOther = /^(?:<(?:https?:|mailto:|[\\/]{2})|\[url=|\\href(?![a-z]))/

const readOther = (view: View, at: number): Read => {
  const text = view.folded.lower.slice(at, at + longestLabel + longestTarget + 20)
  for (const [whole, unfinished] of otherKinds) {
    const [end, target, label] = whole.exec(text)?.indices ?? []
    if (end !== undefined && target !== undefined && label !== undefined)
      return { label: [at + label[0], at + label[1]], target: [at + target[0], at + target[1]], end: at + end[1] }
    if (!view.isFinal && at + text.length === view.folded.lower.length && unfinished.test(text)) return 'open'
  }
  return undefined
}

const isAnchor = /^<a[\s/]/
/** Tags with an address. */
const leading =
  /^<(?:a|area|base|form|iframe|frame|img|image|link|button|input|embed|object|video|audio|source|script|m[a-z]+|use)[\s/]/
const longestClosing = 12

/** Whether such a label may begin here: `[`, `![`, or a tag with an address. */
export const startsLabel = (lower: string, at: number): boolean => {
  const character = lower[at]
  // After slashes it is a numeric address (RFC 3986 §3.2.2).
  if (character === '[') return !/[\\/@]/.test(lower[at - 1] ?? ' ')
  if (character === '!') return lower[at + 1] === '['
  if (character === '<') return leading.test(lower.slice(at, at + 10)) || startsOther.test(lower.slice(at, at + 8))
  return character === '\\' && startsOther.test(lower.slice(at, at + 8))
}

export type LabelFinding = Pick<LinkFinding, 'end' | 'own'> | 'open' | undefined

/**
 * A misleading label: one that leads to a registry link that is not the session's, or that shows the registry but leads
 * elsewhere. Undefined for any other label; its content is checked separately.
 */
export const findLabelled = (view: View, at: number): LabelFinding => {
  const { lower } = view.folded
  const isOther = startsOther.test(lower.slice(at, at + 8))
  const read = isOther ? readOther(view, at) : lower[at] === '<' ? readAnchor(view, at) : readMarkdown(view, at)
  if (read === undefined || read === 'open') return read
  const found = judge(view, at, read)
  if (typeof found !== 'object' || isOther || lower[at] === '<') return found
  const [from, to] = read.label
  // A program that ends the label earlier shows its other own links. Behind them, `markup.ts` removes only the target.
  for (let link = findLink(view, from, to); link !== undefined; link = findLink(view, link.end, to)) {
    if (link === 'open') return 'open'
    if (link.own && link.own.code !== found.own?.code) return undefined
  }
  return found
}

const judge = (view: View, at: number, { label, target, end }: Labelled): LabelFinding => {
  const { lower } = view.folded
  const led = target === undefined ? undefined : findTarget(view, ...target)
  const shown = findLink(view, ...label)
  if (led === 'open' || shown === 'open') return 'open'
  if (led !== undefined && led.own === undefined) return { end, own: undefined }
  if (led?.own?.as === 'address') return isWholeTarget(view, at, led, target) ? undefined : { end, own: led.own }
  if (shown !== undefined) return { end, own: shown.own && { ...shown.own, as: 'address' } }
  const tag = lower[at] === '<' && target !== undefined ? lower.slice(...target) : ''
  if (tag.includes('href') && tag.includes('alt') && showsHost(view, at, end)) return { end, own: undefined }
  return showsHost(view, ...label) ? { end, own: undefined } : undefined
}

/** Part of a text, without some of its characters. */
const without = (view: View, [from, to]: readonly [number, number], pattern: RegExp): View => {
  const { folded } = view
  const places: number[] = []
  for (let at = from; at < to; at++) if (!pattern.test(folded.lower[at] ?? ' ')) places.push(at)
  const pick = <T>(from: ArrayLike<T>) => places.map((at) => from[at] as T)
  const textOf = (from: string) => pick(from).join('')
  const lower = textOf(folded.lower)
  return {
    ...view,
    folded: {
      text: textOf(folded.text),
      lower,
      marked: textOf(folded.marked),
      starts: pick(folded.starts),
      ends: pick(folded.ends),
    },
    hosts: view.findHosts(lower),
    isFinal: true,
    decided: undefined,
  }
}

/** Browsers ignore tabs and line ends in an address, and spaces around it (URL §4.4). */
const findTarget = (view: View, from: number, to: number): ReturnType<typeof findLink> => {
  const found = findLink(view, from, to)
  if (found !== undefined && (found === 'open' || found.own === undefined)) return found
  const { lower } = view.folded
  if (!/\S\s+\S/.test(lower.slice(from, to))) return found
  const joined = without(view, [from, to], /\s/)
  const hidden = findLink(joined, 0, joined.folded.lower.length)
  if (found === undefined || hidden === undefined || hidden === 'open') return hidden === 'open' ? undefined : hidden
  // A line end with text after it: within quotes, a browser joins both to another address.
  const isInQuotes =
    /^\s+[^\s"'>=]*["']/.test(lower.slice(found.end, to)) && /=\s*["'][^"']*$/.test(lower.slice(from, found.start))
  return hidden.own === undefined || isInQuotes ? { ...hidden, start: from, end: from } : found
}

const isWholeTarget = (
  { folded: { lower, starts, ends }, written }: View,
  at: number,
  led: LinkFinding,
  target: Labelled['target'],
) =>
  led.end > led.start &&
  led.isGlued !== true &&
  target !== undefined &&
  // Not only the title of the link. `markup.ts` reads the attributes of a tag.
  (lower[at] === '<' || /^[\s<]*$/.test(lower.slice(target[0], led.start))) &&
  !/^[^\s"'<>]*[\\/]/.test(lower.slice(led.end, target[1])) &&
  // Invisible characters before it make the address relative.
  !/[^\t\n\r -~][^"'=<]*$/.test(written.slice(ends[target[0] - 1], starts[led.start]))

/** Whether a reader sees the registry's name, in any text style. */
const showsHost = (view: View, from: number, to: number) => {
  if (firstIn(view.hosts, from, to) !== undefined) return true
  const plain = view.folded.lower.slice(from, to).replace(/<[^<>]*>|[*_`~\s]/g, '')
  return view.findHosts(plain).length > 0
}
