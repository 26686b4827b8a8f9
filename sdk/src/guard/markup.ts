import { findLink, firstIn, type LinkFinding, type View } from './find-link.ts'
import { type Part, readParts } from './find-parts.ts'

/**
 * What a text has opened so far. Programs read markup in different ways, so anything that may be open is open, and only what
 * all of them close is closed.
 */
export interface MarkupState {
  /** The innermost bracket: every program reads its content the same way. `shown`: but the registry. */
  label: 'none' | 'plain' | 'shown'
  /** A bracket of this paragraph that may still be open. `shown`: with the registry behind it. */
  paragraph: 'none' | 'open' | 'shown'
  /** An HTML anchor that leads elsewhere. `lost`: nothing that follows surely closes it. */
  anchor: 'none' | 'open' | 'lost'
  /** A tag, as far as it is written. */
  tag: string
  /** A tag of this paragraph behind a bracket: one that may swallow the end of a link. */
  isSwallowed: boolean
  /** An element of MathML has come. Within one every element with an address is a link. */
  isMath: boolean
  /** A tag of which programs see different ends: attributes may follow it still. */
  isOdd: boolean
  isInCode: boolean
  /** No plain blank, quote or bracket has come since what may be an address: some programs take what follows for more of it. */
  isInAddress: boolean
  isLineBlank: boolean
  /** Names of the registry that markup may have cut into parts. */
  parts: readonly Part[]
}

export const noMarkup: MarkupState = {
  label: 'none',
  paragraph: 'none',
  anchor: 'none',
  tag: '',
  isSwallowed: false,
  isMath: false,
  isOdd: false,
  isInCode: false,
  isInAddress: false,
  isLineBlank: false,
  parts: [],
}

export interface Markup {
  state: MarkupState
  /** Reads up to the first part of a text that must be changed, and returns it; reads all of the text if nothing must be. */
  read(view: View, from: number, to: number): LinkFinding | undefined
  /** A link comes here instead of what was written. Whether it may. */
  showLink(): boolean
  /** Something was taken out. */
  skip(): void
}

const attributes = `(?:\\s+[a-z-]+=(?:"[^"<>\`]*"|'[^'<>\`]*'|[^\\s\\0"'<>=\`]+))*`
const plainAnchor = new RegExp(`^<a${attributes}\\s*>$`)
const plainTag = new RegExp(`^</?(?:b|br|code|em|i|img|mark|s|small|span|strong|sub|sup|u|wbr)${attributes}\\s*/?>$`)
const plainElement = /^<[a-z][a-z0-9-]*(?:\s+[a-z-]+(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s\0"'<>=`]+))?)*\s*\/?>$/
/** Behind these `</a>` closes nothing: elements of raw text, those that end a scope (HTML §13.2.4.2), and of other vocabularies. */
const swallowing =
  /^<(?:iframe|no(?:embed|frames|script)|plaintext|script|style|textarea|title|xmp|applet|caption|frameset|html|marquee|object|select|table|td|th|template|svg|foreignobject|desc|annotation-xml|m(?:ath|[inos]|text))[\s/>]/
const someAnchor = /^\0?<\0?a(?:rea)?[\s/>\0]/
const someMath = /^\0?<math[\s/>\0]/
/** TeX's anchor, where all of it is one label without commands. */
const plainHref = /^\\href\{[^\s{}\\%]{1,1200}\}\{[^{}\\$%^<>\n]{0,400}\}/
/** At the beginning of a line `>` is a quotation. */
const closing = /^<\/a *>$/
const longestTag = 400
/** `<https://acme.example/…`: only a plain space or `>` ends it, so it may contain other kinds of space. */
const autolink = /^<[a-z][a-z0-9+.-]*:\S*$/
const inAddress = /[./?#@]/
const behindAddress = /[\t\n\f\r "'<>`|{}[\]^]/
/** Not plain in a label: other programs may find another bracket to it. */
const oddInLabel = /[`\\<>()$]/
/** What may keep some program from seeing that an anchor is closed. */
const oddInAnchor = /[~\\>\t[]/

/** What a character was written as, or begins with. */
export const writtenAt = ({ folded, written }: View, at: number): string => written[folded.starts[at] ?? 0] ?? ''

/** Whether JSON's `\\n` is at this position: a reader of the JSON sees a line end. */
export const isEscapedLine = (view: View, at: number): boolean =>
  view.folded.lower[at] === '\n' && writtenAt(view, at) === '\\'

/** Whether a character is written literally, and not as an escape or a look-alike. */
const isLiteral = ({ folded, written }: View, at: number) => {
  const start = folded.starts[at] ?? 0
  return folded.ends[at] === start + 1 && written[start] === folded.text[at]
}

/** A character of a tag: null where HTML reads another one. */
const signInTag = (view: View, at: number) => {
  const { lower, starts, ends } = view.folded
  const isBehindInvisible = (starts[at] ?? 0) > (ends[at - 1] ?? 0)
  const isWhite = /[\t\n\f\r ]/.test(writtenAt(view, at))
  return (isBehindInvisible ? '\0' : '') + (isLiteral(view, at) || isWhite ? lower[at] : '\0')
}

export const createMarkup = (before: MarkupState): Markup => {
  const state = { ...before }

  const show = () => {
    if (state.label !== 'none') state.label = 'shown'
    if (state.paragraph !== 'none') state.paragraph = 'shown'
  }

  /** The innermost bracket is no longer plain. */
  const unsettle = () => {
    if (state.label === 'shown' || state.paragraph === 'shown') state.paragraph = 'shown'
    else state.paragraph = 'open'
    state.label = 'none'
  }

  const readLine = (view: View, at: number) => {
    const { lower, starts, ends } = view.folded
    const sign = writtenAt(view, at)
    if ((starts[at] ?? 0) > (ends[at - 1] ?? 0)) state.isLineBlank = false
    if (sign === '\n' && lower[at] === '\n') {
      if (state.isLineBlank) Object.assign(state, { label: 'none', paragraph: 'none', isSwallowed: false })
      state.isLineBlank = true
    } else if (!/[ \t\r]/.test(sign)) state.isLineBlank = false
  }

  /** Whether what a bracket closes shows the registry. */
  const readBracket = (view: View, at: number): boolean => {
    const sign = view.folded.lower[at] ?? ''
    if (sign === '[') {
      if (state.label !== 'none') unsettle()
      if (isLiteral(view, at) && view.folded.lower[at - 1] !== '\\') state.label = 'plain'
      else unsettle()
    } else if (sign === ']') {
      if (state.label !== 'none' && isLiteral(view, at)) {
        const isShown = state.label === 'shown'
        state.label = 'none'
        return isShown
      }
      if (state.label !== 'none') unsettle()
      return state.paragraph === 'shown'
    } else if (state.label !== 'none' && oddInLabel.test(sign)) unsettle()
    return false
  }

  const readTag = (view: View, at: number) => {
    const { lower } = view.folded
    const sign = lower[at] ?? ''
    const isOpen = state.anchor === 'open'
    if (sign === '<') {
      if (someAnchor.test(state.tag) || (isOpen && (state.tag !== '' || state.isInCode || !isLiteral(view, at))))
        state.anchor = 'lost'
      leaveTag()
      state.tag = isLiteral(view, at) ? sign : '\0<'
      if (state.anchor === 'none' && someAnchor.test(lower.slice(at, at + 6)) && isOwnAnchor(view, at)) state.tag = ''
    } else if (state.tag !== '') {
      state.tag += signInTag(view, at)
      if (state.tag.length > longestTag && autolink.test(state.tag)) state.tag = '<x:\0'
      else if (state.tag.length > longestTag) {
        if (isOpen || someAnchor.test(state.tag)) state.anchor = 'lost'
        leaveTag()
      } else if (sign === '>') endTag()
    } else if (isOpen) {
      const isOdd =
        oddInAnchor.test(sign) ||
        lower.slice(at - 3, at + 1) === '    ' ||
        /^\][(:[]/.test(lower.slice(at, at + 2)) ||
        (sign === '`' && lower[at - 1] === '`') ||
        (sign === '\n' && state.isInCode)
      if (isOdd) state.anchor = 'lost'
      if (sign === '`') state.isInCode = !state.isInCode
    }
  }

  const leaveTag = () => {
    const { tag } = state
    state.tag = ''
    state.isMath ||= someMath.test(tag)
    if (!/^\0?<[a-z]/.test(tag)) return
    // Nothing surely closes it.
    if (state.isMath && tag.includes('href') && !plainAnchor.test(tag)) state.anchor = 'lost'
    state.isOdd ||= tag.startsWith('<') && !plainElement.test(tag)
  }

  const readAddress = (view: View, at: number) => {
    const { lower, starts } = view.folded
    const sign = lower[at] ?? ''
    // An ellipsis is no part of an address: the guard writes it for what it removed.
    if (inAddress.test(sign) && writtenAt(view, at) !== '…') state.isInAddress = true
    else if (isEscapedLine(view, at) || behindAddress.test(writtenAt(view, at))) state.isInAddress = false
    const isLate =
      state.isMath &&
      state.isOdd &&
      lower.endsWith('href', at + 1) &&
      !startsOwn(view, view.written.slice(starts[at + 1] ?? view.written.length))
    if (isLate || (lower.startsWith('\\href', at) && isOddHref(view, at))) state.anchor = 'lost'
  }

  const endTag = () => {
    const { tag } = state
    leaveTag()
    if (state.paragraph !== 'none' && /^<[^/]/.test(tag) && (swallowing.test(tag) || !plainElement.test(tag)))
      state.isSwallowed = true
    if (plainAnchor.test(tag) && !tag.includes('href')) return
    if (someAnchor.test(tag)) {
      // Anchors of SVG stand within one another.
      state.anchor = state.anchor === 'none' && plainAnchor.test(tag) ? 'open' : 'lost'
      state.isInCode = false
    } else if (state.anchor === 'open' && closing.test(tag)) state.anchor = 'none'
    else if (state.anchor === 'open' && !plainTag.test(tag)) state.anchor = 'lost'
  }

  /** The name now contains something else, unless it is inside a part that the name ignores. */
  const leaveName = () => {
    state.parts = state.parts.filter(({ gap }) => gap === 'tag' || gap === 'target')
  }

  const isInAnchor = () =>
    state.anchor !== 'none' || someAnchor.test(state.tag) || (state.tag.includes('\0') && autolink.test(state.tag))

  return {
    state,
    read: (view, from, to) => {
      const { lower } = view.folded
      for (let at = from, host = firstIn(view.hosts, from, to); at < to; at++) {
        while (host !== undefined && host.start < at) host = firstIn(view.hosts, host.start + 1, to)
        if (host?.start === at) {
          if (isInAnchor()) return { start: at, end: host.end, own: undefined }
          show()
        }
        readLine(view, at)
        const isShown = readBracket(view, at)
        const isClosing = lower[at] === ']' && /[(:[]/.test(lower[at + 1] ?? ' ') && !leadsToOwn(view, at + 2)
        if (isClosing && state.isSwallowed) state.anchor = 'lost'
        if (isClosing && isShown) {
          state.paragraph = 'shown'
          const end = endOf(lower, at + 2, to, /[^\s\uFFFD)]/)
          return { start: at, end: lower[end] === ')' && end < to ? end + 1 : Math.max(end, at + 2), own: undefined }
        }
        readTag(view, at)
        readAddress(view, at)
        const { parts, complete } = readParts(
          state.parts,
          view.words,
          lower,
          at,
          state.tag !== '' || state.isOdd || state.anchor === 'lost',
        )
        state.parts = parts
        if (complete === undefined) continue
        if (complete.isLinked || isInAnchor())
          // With what is glued to it: without its beginning that may be another name.
          return { start: Math.max(complete.from, from), end: endOf(lower, at + 1, to, /[\w.-]/), own: undefined }
        if (complete.isCut) show()
      }
      return undefined
    },
    showLink: () => {
      leaveName()
      state.isLineBlank = false
      // It is part of the tag, if it is one.
      if (state.tag !== '') state.tag += 'x'
      if (isInAnchor()) return false
      state.isInAddress = true
      show()
      return true
    },
    skip: () => {
      leaveName()
      state.isLineBlank = false
    },
  }
}

const endOf = (lower: string, from: number, to: number, more: RegExp) => {
  let end = from
  while (end < to && more.test(lower[end] ?? ' ')) end++
  return end
}

/** `(https://registry.example/v/…)`, and nothing else. */
export const leadsToOwn = ({ folded, written, ownUrls }: View, from: number): boolean => {
  const target = written.slice(folded.ends[from - 1] ?? written.length)
  return folded.lower[from - 1] === '(' && ownUrls.some((url) => target.startsWith(`${url})`))
}

/** `="https://registry.example/v/…"`, and nothing else. */
const startsOwn = ({ ownUrls }: View, target: string) => {
  const [equals = ''] = /^=["']?/.exec(target) ?? []
  return (
    equals !== '' &&
    ownUrls.some(
      (url) => target.startsWith(url, equals.length) && /^["'\s>]/.test(target.charAt(equals.length + url.length)),
    )
  )
}

const isOddHref = ({ folded, written, ownUrls }: View, at: number) => {
  const address = written.slice(folded.ends[at + 5] ?? written.length)
  return (
    !plainHref.test(folded.lower.slice(at, at + 1_620)) &&
    !(folded.lower[at + 5] === '{' && ownUrls.some((url) => address.startsWith(`${url}}`)))
  )
}

const beforeOwn = new RegExp(`^<a(?:rea)?${attributes}\\s+href=["']?$`, 'i')
const afterOwn = new RegExp(`^["']?${attributes}\\s*>`, 'i')

/** Whether an anchor leads to a link of the session, once that is as it was issued. */
const isOwnAnchor = (view: View, at: number) => {
  const {
    written,
    folded: { starts },
  } = view
  const found = findLink(view, at, at + longestTag)
  if (found === undefined || found === 'open' || found.own?.as !== 'address' || found.isGlued === true) return false
  const before = written.slice(starts[at] ?? 0, starts[found.start])
  const after = starts[found.end] ?? written.length
  const [rest = ''] = afterOwn.exec(written.slice(after, after + longestTag)) ?? []
  return beforeOwn.test(before) && rest !== '' && !/\shref=/i.test(before.slice(0, -6) + rest)
}
