import { type LinkIssuer, mustBeSessionId, type VerificationLink } from '../runtime/link-issuer.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import { must } from '../verify/refuse-unknown.ts'
import { countBefore, findTokens, type LinkFinding, type View } from './find-link.ts'
import { lookOf } from './find-parts.ts'
import { type Folded, fold, isBehindInvisible } from './fold.ts'
import { createRegistryHosts } from './registry-host.ts'
import { atRest, type Decision, scan } from './scan.ts'

/**
 * What to do with a registry link that this session was not given. `strip` replaces it by an ellipsis, so that the text around it
 * cannot join into another link; `mark` replaces it by a note; `keep` only reports it.
 */
export type OnForeign = 'strip' | 'mark' | 'keep'

/** Options of `guardOutput`. */
export interface GuardOptions {
  /** The issuer that gave this session its links. */
  issued: LinkIssuer
  /** The session whose text is checked. */
  sessionId: string
  /** The registry's host or public address, or a list of them. */
  host: string | readonly string[]
  /** Default `strip`. */
  onForeign?: OnForeign | undefined
  /** The replacement for `mark`. */
  mark?: string | undefined
  /** Called once for each link, in order; in a stream, as soon as the link is decided. */
  onFinding?: ((finding: GuardFinding) => void) | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
}

/**
 * A link in the text. `own`: this session's, unchanged. `repaired`: this session's, garbled, and restored as issued. `foreign`: not
 * this session's. A finding never contains a whole token, so it may be logged. It may contain link codes.
 */
export interface GuardFinding {
  /** Whether the link is this session’s. */
  kind: 'own' | 'repaired' | 'foreign'
  /** The text as written: at most 200 characters, and only the first eight of a token. */
  found: string
  /** The session's link, without its token. */
  link: Omit<VerificationLink, 'token'> | null
}

/** What a guard did to a text. */
export interface GuardReport {
  /** The text to show. */
  text: string
  /** Every link in the text, in order. */
  findings: readonly GuardFinding[]
  /** Whether it had no foreign links. */
  isClean: boolean
}

/** A stream that removes links this session was not given. */
export interface OutputGuard extends TransformStream<string, string> {
  /**
   * Checks a complete text.
   *
   * @returns The {@link GuardReport}: the text to show, and its links.
   * @example
   * ```ts
   * const { text, findings } = guard.check(message)
   * for (const { kind, found } of findings) console.warn(kind, found)
   * ```
   */
  check(text: string): GuardReport
}

const optionForms: OptionForms<GuardOptions> = {
  issued: 'a link issuer',
  sessionId: 'your ID of the chat',
  host: 'the registry’s host or address',
  onForeign: true,
  mark: true,
  onFinding: true,
  now: true,
}

const guardCall = 'guardOutput'
const ellipsis = '…'
const withinWord = /^[\w./:%?#&=+~@-]*$/
const oftenEnough = 512
/** In characters as written; longer than any token. */
const longestHeld = 8_192
const leastBefore = 8
const looksForEach = 8
/** Shorter than the claims and signature of a token. */
const longestFound = 200
const mostPatience = 32_768
const defaultMark = '(unverified link removed)'

/**
 * Filters a model's output: registry links that this session was given pass, restored as issued if the model garbled them. All other
 * registry links are removed.
 *
 * These are foreign unless `issued` gave them to this session, in every spelling that a chat or browser may read (upper and lower
 * case, escapes, full-width and look-alike letters, invisible characters, line breaks, backslashes, punycode):
 * - any address of the registry, because its pages also describe others;
 * - an address that shows the registry's host and leads elsewhere: in its user name, at the beginning of a longer name, in a query, or
 *   in the label of a link;
 * - a bare link code. An expired code counts only if spelled `XXXX-XXXX-XXXX-XXXX`, because other runs of sixteen letters and digits are
 *   usually something else;
 * - a token of a registry.
 *
 * The host alone (`registry.example`) is not a link, unless it is in disguise or markup cuts it into pieces: programs that make links of
 * bare names would link another name, or a part of it. All other text passes unchanged and in order, except that a space separates an own
 * link from a word directly after it. A stream holds back only what may become a link, at most 8,192 characters: the current word, a
 * label in brackets, and the beginning of a code or token. docs/ai-runtimes.md lists what it does not catch.
 *
 * The guard only knows sessions that `issued` remembers, so each session must stay with one process.
 *
 * @returns The {@link OutputGuard}: a stream, and `check` for a complete text.
 * @throws `TypeError` for an unknown option, if `issued` or `sessionId` is missing, and for an invalid `host` or `onForeign`; a
 * stream fails with TypeError for anything but strings.
 * @example
 * ```ts
 * const guard = guardOutput({ issued: issuer, sessionId: 'session-7', host: 'registry.example' })
 * const { text, isClean } = guard.check('I am Acme Chat: https://registry.example/v/W904-2CKW-GDNC-X7S1')
 * ```
 */
export const guardOutput = (options: GuardOptions): OutputGuard => {
  checkOptions(guardCall, options, optionForms)
  const look = createLook(options)
  const guard = look()
  const stream = new TransformStream<string, string>({
    transform: (chunk, controller) => {
      const text = guard(chunk, false)
      if (text !== '') controller.enqueue(text)
    },
    flush: (controller) => {
      const text = guard('', true)
      if (text !== '') controller.enqueue(text)
    },
  })
  return Object.assign(stream, {
    check: (written: string): GuardReport => {
      const findings: GuardFinding[] = []
      const text = look((finding) => findings.push(finding))(written, true)
      return { text, findings, isClean: findings.every(({ kind }) => kind !== 'foreign') }
    },
  })
}

type OnFinding = (finding: GuardFinding) => void

/** Returns a function that takes text in chunks and returns the text decided so far. */
const createLook = ({
  issued,
  sessionId,
  host,
  onForeign = 'strip',
  mark = defaultMark,
  onFinding,
  now = Date.now,
}: GuardOptions) => {
  const hosts = createRegistryHosts(host)
  const instead: Record<OnForeign, (found: string) => string> = {
    strip: () => ellipsis,
    mark: () => mark,
    keep: (found) => found,
  }
  must(Object.hasOwn(instead, onForeign), guardCall, 'onForeign', `one of ${Object.keys(instead).join(', ')}`)
  must(issued.issuedTo, guardCall, 'issued', 'a link issuer')
  mustBeSessionId(guardCall, sessionId)

  let given: readonly VerificationLink[] | undefined
  let links = new Map<string, VerificationLink>()
  let codes = new Map<string, string>()
  let words = hosts.names

  /** Reads the session's links again, because the model may request one in the middle of a text. */
  const readGiven = () => {
    const latest = issued.issuedTo(sessionId)
    if (latest === given) return
    given = latest
    links = new Map(latest.map((link) => [link.code.replaceAll('-', ''), link]))
    words = [...hosts.names, ...latest.map(({ code }) => lookOf(code.toLowerCase()))]
    codes = new Map([...links].map(([code, { verificationId }]) => [verificationId, code]))
  }

  const viewOf = (written: string, folded: Folded, isFinal: boolean): View => {
    readGiven()
    return {
      written,
      folded,
      isFinal,
      ownUrls: [...links.values()].map(({ url }) => url),
      hosts: hosts.findIn(folded.lower, (at) => isBehindInvisible(folded, at)),
      findHosts: hosts.findIn,
      isPlainHost: hosts.isPlain,
      tokens: findTokens(folded, (id) => codes.get(id)),
      known: {
        own: [...links.keys()],
        isOthers: (code) => issued.isOthers(sessionId, formatLinkCode(code)),
        nowMs: now(),
        words,
      },
    }
  }

  const decide = (found: string, own: LinkFinding['own']): Omit<GuardFinding, 'found'> & { text: string } => {
    const issuedLink = own && links.get(own.code)
    if (own === undefined || issuedLink === undefined)
      return { kind: 'foreign', link: null, text: instead[onForeign](found) }
    const { token, ...link } = issuedLink
    const text = own.as === 'token' ? found : own.as === 'address' ? link.url : formatLinkCode(own.code)
    return { kind: text === found ? 'own' : 'repaired', link, text }
  }

  return (report?: OnFinding): ((chunk: string, isFinal: boolean) => string) => {
    /** The end of the released text, folded, because a link may have begun there. */
    let before = ''
    let pending = ''
    let held = 0
    let state = atRest
    let patience = mostPatience

    /** Whether to scan the held text again. The number of scans per character is bounded. */
    const isTime = (chunk: string) => {
      patience = Math.min(patience + looksForEach * chunk.length, mostPatience)
      if (state.isInWord && withinWord.test(chunk) && pending.length - held < oftenEnough) return false
      if (patience < pending.length && pending.length < longestHeld) return false
      patience -= pending.length
      return true
    }

    const take = (written: string, folded: Folded, decision: Decision) => {
      const { start, end, own } = decision
      const from = folded.starts[start] ?? written.length
      // Including invisible characters after it, which some programs add to the link.
      const to = folded.starts[end] ?? written.length
      const found = written.slice(from, to)
      if (own === 'dropped') return { from, to, text: onForeign === 'keep' ? found : '' }
      // A link whose beginning was already released cannot be repaired.
      const isWhole = (folded.ends[start] ?? 1) > 0
      const { text, kind, link } = decide(found, isWhole ? own : undefined)
      const token = folded.text.slice(start, end).indexOf('eyJ')
      const shown = token < 0 ? found : written.slice(from, folded.starts[Math.min(start + token + 8, end)] ?? to)
      const cut =
        shown.length < found.length || shown.length > longestFound
          ? `${shown.slice(0, longestFound)}${ellipsis}`
          : shown
      const finding: GuardFinding = { kind, found: cut, link }
      onFinding?.(finding)
      report?.(finding)
      // Add a space if both would join into one address.
      const isForeign = finding.kind === 'foreign'
      const before = decision.isBehind === true && !(isForeign && onForeign === 'keep') ? ' ' : ''
      const after = !isForeign && decision.isGlued === true ? ' ' : ''
      return { from, to, text: before + text + after }
    }

    const look = (isFinal: boolean, isFull: boolean): string => {
      const written = !isFinal && /[\uD800-\uDBFF]$/.test(pending) ? pending.slice(0, -1) : pending
      const folded = fold(written, { before, unfinished: isFinal ? 'decoded' : isFull ? 'as it is' : 'left out' })
      const first = firstFrom(folded.ends, 1)
      const until = isFull ? Math.max(firstFrom(folded.starts, written.length - longestHeld / 2), first) : undefined
      const scanned = scan(viewOf(written, folded, isFinal), first, state, until)
      let output = ''
      let copied = 0
      for (const decision of scanned.decisions) {
        if (decision.end <= first) continue
        const { from, to, text } = take(written, folded, decision)
        output += written.slice(copied, from) + text
        copied = to
      }
      const settled = isFinal
        ? written.length
        : isFull
          ? (folded.starts[scanned.settled] ?? written.length)
          : Math.max(folded.ends[scanned.settled - 1] ?? 0, copied)
      output += written.slice(copied, settled)
      pending = pending.slice(settled)
      held = pending.length
      // Keep an escape that may be incomplete.
      const overlap = scanned.settled > first ? scanned.state.overlap : state.overlap
      if (scanned.settled > first)
        before = folded.text.slice(Math.max(scanned.settled - overlap - leastBefore, 0), scanned.settled)
      state = { ...scanned.state, overlap }
      return output
    }

    return (chunk, isFinal) => {
      if (typeof chunk !== 'string') throw new TypeError('guardOutput: takes text; decode bytes with TextDecoderStream')
      pending += chunk
      if (!isFinal && !isTime(chunk)) return ''
      const output = look(isFinal, false)
      return pending.length < longestHeld ? output : output + look(false, true)
    }
  }
}

/** Index of the first ascending number that is at least `least`. */
const firstFrom = (numbers: readonly number[], least: number) =>
  countBefore(numbers.length, (index) => (numbers[index] ?? 0) < least)
