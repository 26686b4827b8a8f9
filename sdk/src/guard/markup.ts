import { findLink, firstIn, type LinkFinding, type View } from './find-link.ts'
import { type Part, readParts } from './find-parts.ts'
import { isBehindInvisible } from './fold.ts'

/**
 * The markup that a text has opened so far. Programs read markup differently, so anything that may be open counts as
 * open until all of them close it.
 */
export interface MarkupState {
  /** The innermost bracket: every program reads its content the same way. `shown`: the content shows the registry. */
  label: 'none' | 'plain' | 'shown'
  /** A bracket of this paragraph that may still be open. `shown`: the registry appears after it. */
  paragraph: 'none' | 'open' | 'shown'
  /** An HTML anchor that leads elsewhere. `lost`: no later text closes it reliably. */
  anchor: 'none' | 'open' | 'lost'
  /** A tag, as far as it has been read. */
  tag: string
  /** A tag in this paragraph after a bracket that may hide the end of a link. */
  isSwallowed: boolean
  /** A MathML element was opened. Inside it, every element with an address is a link. */
  isMath: boolean
  /** A tag whose end programs read differently: attributes may still follow. */
  isOdd: boolean
  isInCode: boolean
  /** No space, quote or bracket has come since a possible address, so some programs read on. */
  isInAddress: boolean
  isLineBlank: boolean
  /** An email address has begun. */
  isInMail: boolean
  /** Names of the registry that markup may have split. */
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
  isInMail: false,
  parts: [],
}

export interface Markup {
  state: MarkupState
  /** Reads up to the first part of a text that must be changed, and returns it; reads all of the text if nothing must be. */
  read(view: View, from: number, to: number): LinkFinding | undefined
  /** Whether a link may replace what was written here. */
  showLink(): boolean
  /** Some text was removed. */
  skip(): void
}

const attributes = `(?:\\s+[a-z-]+=(?:"[^"<>\`]*"|'[^'<>\`]*'|[^\\s\\0"'<>=\`]+))*`
const plainAnchor = new RegExp(`^<a${attributes}\\s*>$`)
const plainTag = new RegExp(`^</?(?:b|br|code|em|i|img|mark|s|small|span|strong|sub|sup|u|wbr)${attributes}\\s*/?>$`)
const plainElement = /^<[a-z][a-z0-9-]*(?:\s+[a-z-]+(?:=(?:"[^"<>`]*"|'[^'<>`]*'|[^\s\0"'<>=`]+))?)*\s*\/?>$/
/**
 * After these, `</a>` closes nothing: raw text elements, those that end a scope (HTML §13.2.4.2), and other
 * vocabularies.
 */
const swallowing =
  /^<(?:iframe|no(?:embed|frames|script)|plaintext|script|style|textarea|title|xmp|applet|caption|frameset|html|marquee|object|select|table|td|th|template|svg|foreignobject|desc|annotation-xml|m(?:ath|[inos]|text))[\s/>]/
const someAnchor = /^\0?<\0?a(?:rea)?[\s/>\0]/
const someMath = /^\0?<math[\s/>\0]/
/** TeX's anchor whose whole content is one label without commands. */
const plainHref = /^\\href\{[^\s{}\\%]{1,1200}\}\{[^{}\\$%^<>\n]{0,400}\}/
/** At the start of a line, `>` is a quotation. */
const closing = /^<\/a *>$/
const longestTag = 400
/** `<https://acme.example/…`: only a plain space or `>` ends it, so it may contain other kinds of space. */
const autolink = /^<[a-z][a-z0-9+.-]*:\S*$/
const inAddress = /[./?#@]/
/** Programs read any other character after `@` as part of the host of an email address. */
const behindMail = /[\s"'(),:;<>[\]]/
const behindAddress = /[\t\n\f\r "'<>`|{}[\]^]/
/** Not plain in a label: other programs may match the bracket differently. */
const oddInLabel = /[`\\<>()$]/
/** What may keep a program from seeing that an anchor is closed. */
const oddInAnchor = /[~\\>[]/

/** The written character for a folded one, or its first. */
export const writtenAt = ({ folded, written }: View, at: number): string => written[folded.starts[at] ?? 0] ?? ''

/** Whether JSON's `\\n` is at this position: a reader of the JSON sees a line end. */
export const isEscapedLine = (view: View, at: number): boolean =>
  view.folded.lower[at] === '\n' && writtenAt(view, at) === '\\'

/** Whether a tab is written here, also as JSON's `\\t`: in a folded text it is a space. */
const isTab = ({ folded, written }: View, at: number) =>
  /^(?:\t|\\t)/.test(written.slice(folded.starts[at] ?? 0, (folded.starts[at] ?? 0) + 2))

/** Whether a character is written literally, and not as an escape or a look-alike. */
export const isLiteral = ({ folded, written }: View, at: number) => {
  const start = folded.starts[at] ?? 0
  return folded.ends[at] === start + 1 && written[start] === folded.text[at]
}

/** A character of a tag; null if HTML reads a different one. */
const signInTag = (view: View, at: number) => {
  const isWhite = /[\t\n\f\r ]/.test(writtenAt(view, at))
  return (
    (isBehindInvisible(view.folded, at) ? '\0' : '') + (isLiteral(view, at) || isWhite ? view.folded.lower[at] : '\0')
  )
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
    const sign = writtenAt(view, at)
    if (isBehindInvisible(view.folded, at)) state.isLineBlank = false
    if (sign === '\n' && view.folded.lower[at] === '\n') {
      if (state.isLineBlank) Object.assign(state, { label: 'none', paragraph: 'none', isSwallowed: false })
      state.isLineBlank = true
    } else if (!/[ \t\r]/.test(sign)) state.isLineBlank = false
  }

  /** Whether the text that a bracket closes shows the registry. */
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
      } else if (sign === '>' && isLiteral(view, at)) endTag()
    } else if (isOpen) {
      const isOdd =
        oddInAnchor.test(sign) ||
        isTab(view, at) ||
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
    // Nothing closes it reliably.
    if (state.isMath && tag.includes('href') && !plainAnchor.test(tag)) state.anchor = 'lost'
    state.isOdd ||= tag.startsWith('<') && !plainElement.test(tag)
  }

  const readAddress = (view: View, at: number) => {
    const { lower, starts } = view.folded
    const sign = lower[at] ?? ''
    // An ellipsis does not extend an address: the guard itself writes it for removed text.
    if (sign === '@' || behindMail.test(sign)) state.isInMail = sign === '@'
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
      // SVG anchors can be nested.
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
          const isMailHost = state.isInMail && !/[@.]/.test(lower[at - 1] ?? '.')
          if (isMailHost || isInAnchor()) return { start: at, end: host.end, own: undefined }
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
          view.known.words,
          lower,
          at,
          state.tag !== '' || state.isOdd || state.anchor === 'lost',
        )
        state.parts = parts
        // Programs that link bare addresses start a link where markup splits a name.
        if (complete !== undefined && (complete.isCut || isInAnchor()))
          // Including text attached to it, but not its beginning, which may be another name.
          return { start: Math.max(complete.from, from), end: endOf(lower, at + 1, to, /[\w.-]/), own: undefined }
      }
      return undefined
    },
    showLink: () => {
      leaveName()
      state.isLineBlank = false
      // It is part of the tag, if this is one.
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

/** Only `(https://registry.example/v/…)`. */
export const leadsToOwn = ({ folded, written, ownUrls }: View, from: number): boolean => {
  const target = written.slice(folded.ends[from - 1] ?? written.length)
  return folded.lower[from - 1] === '(' && ownUrls.some((url) => target.startsWith(`${url})`))
}

/** Only `="https://registry.example/v/…"`. */
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

/** Whether an anchor leads to a link of the session, once that is restored as issued. */
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
