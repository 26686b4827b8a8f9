import type { LinkIssuer, VerificationLink } from '../runtime/link-issuer.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import { findTokens, type LinkFinding, type View } from './find-link.ts'
import { lookOf } from './find-parts.ts'
import { type Folded, fold } from './fold.ts'
import { createRegistryHosts } from './registry-host.ts'
import { atRest, type Decision, scan } from './scan.ts'

/**
 * What becomes of a link to the registry that this session was not given. `strip` leaves an ellipsis in its place, so that
 * what stood around it cannot grow together into another link; `mark` says that a link was there; `keep` lets it through
 * and only reports it.
 */
export type OnForeign = 'strip' | 'mark' | 'keep'

export interface GuardOptions {
  /** The issuer that gave this session its links. */
  issued: LinkIssuer
  sessionId: string
  /** The registry's host or public address, or all of them where it has several. */
  host: string | readonly string[]
  /** Default `strip`. */
  onForeign?: OnForeign
  /** What `mark` puts in the place of a link. */
  mark?: string
  /** Called once for each link, in order. Of a link in a stream it is told as soon as it is decided. */
  onFinding?: (finding: GuardFinding) => void
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: () => number
}

/**
 * A link in the text. `own`: this session's, unchanged. `repaired`: this session's, garbled, and now as it was issued.
 * `foreign`: not this session's. A finding never holds a whole token, so it may be logged. Link codes stay in it.
 */
export interface GuardFinding {
  kind: 'own' | 'repaired' | 'foreign'
  /** What was written: at most 200 characters, and only the first eight of a token. */
  found: string
  /** The session's link, without its token. */
  link: Omit<VerificationLink, 'token'> | null
}

export interface GuardReport {
  /** The text as it may be shown. */
  text: string
  findings: readonly GuardFinding[]
  /** Whether no foreign link was in it. */
  isClean: boolean
}

export interface OutputGuard extends TransformStream<string, string> {
  /** The same for a text that is complete. */
  check(text: string): GuardReport
}

const ellipsis = '…'
const withinWord = /^[\w./:%?#&=+~@-]*$/
const oftenEnough = 512
/** In characters as they are written; more than the longest token. */
const longestHeld = 8_192
const leastBefore = 8
const looksForEach = 8
/** Less than the claims and the signature of a token. */
const longestFound = 200
const mostPatience = 32_768
const defaultMark = '(unverified link removed)'

/**
 * Stands between a model and the person it talks to: links of the registry that this session was given come through, as
 * they were issued even where the model garbled them; every other one is taken out.
 *
 * Foreign is each of these that `issued` did not give to this session, in every spelling that a chat or a browser would
 * read as one (upper and lower case, escapes, full-width and look-alike letters, invisible characters, line breaks,
 * backslashes, punycode):
 * - an address of the registry: any, not only links, because its pages show what the registry says of others too;
 * - an address that shows the registry's host and leads elsewhere: as its user name, as the beginning of a longer name, in
 *   the query of another address, or as the label of another link, where any program may read it as one;
 * - a bare link code. A code that no longer can be good is one only where it is spelled `XXXX-XXXX-XXXX-XXXX`: sixteen
 *   letters and digits in a row are mostly something else;
 * - a token of a registry.
 *
 * The host alone (`registry.example`) is no link. All other text comes through byte for byte, and in the same order; a word
 * right behind an own link gets a blank before it, so that no other address grows out of the two. A stream holds back only
 * what may still become a link: the word that is being written, a label in brackets, and the beginning of a code or a token;
 * 8 192 characters at most, whatever they are. It cannot know every program that shows text: docs/ai-runtimes.md says what it
 * does not catch.
 *
 * The guard knows the sessions that `issued` remembers: where several processes serve one session, keep each session with
 * one of them. Throws TypeError where `host` is none; a stream of anything but strings fails with one.
 */
export const guardOutput = (options: GuardOptions): OutputGuard => {
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

type Tell = (finding: GuardFinding) => void

/** Makes what takes a text piece by piece, each time answering as much as is decided. */
const createLook = ({ issued, sessionId, host, onForeign = 'strip', mark = defaultMark, onFinding, now = Date.now }: GuardOptions) => {
  const hosts = createRegistryHosts(host)
  const instead: Record<OnForeign, (found: string) => string> = { strip: () => ellipsis, mark: () => mark, keep: (found) => found }

  let given: readonly VerificationLink[] | undefined
  let links = new Map<string, VerificationLink>()
  let codes = new Map<string, string>()
  let words = hosts.names

  /** What the session was given, as it is now: the model may ask for a link in the middle of a text. */
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
      words,
      hosts: hosts.findIn(folded.lower),
      findHosts: hosts.findIn,
      tokens: findTokens(folded, (id) => codes.get(id)),
      known: { own: [...links.keys()], isOthers: (code) => issued.isOthers(sessionId, formatLinkCode(code)), nowMs: now() },
    }
  }

  const decide = (found: string, own: LinkFinding['own']): Omit<GuardFinding, 'found'> & { text: string } => {
    const issuedLink = own && links.get(own.code)
    if (own === undefined || issuedLink === undefined) return { kind: 'foreign', link: null, text: instead[onForeign](found) }
    const { token, ...link } = issuedLink
    const text = own.as === 'token' ? found : own.as === 'address' ? link.url : formatLinkCode(own.code)
    return { kind: text === found ? 'own' : 'repaired', link, text }
  }

  return (tell?: Tell): ((chunk: string, isFinal: boolean) => string) => {
    /** What was let go last, folded: some of it may be the beginning of what follows. */
    let before = ''
    let pending = ''
    let held = 0
    let state = atRest
    let patience = mostPatience

    /** Whether to look again at what is held back: every character is paid for with a bounded number of looks. */
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
      // With what is invisible behind it: some programs take that for more of a link.
      const to = folded.starts[end] ?? written.length
      const found = written.slice(from, to)
      if (own === 'dropped') return { from, to, text: onForeign === 'keep' ? found : '' }
      // A link whose beginning is gone cannot be mended.
      const isWhole = (folded.ends[start] ?? 1) > 0
      const { text, kind, link } = decide(found, isWhole ? own : undefined)
      const token = folded.text.slice(start, end).indexOf('eyJ')
      const shown = token < 0 ? found : written.slice(from, folded.starts[Math.min(start + token + 8, end)] ?? to)
      const cut = shown.length < found.length || shown.length > longestFound ? `${shown.slice(0, longestFound)}${ellipsis}` : shown
      const finding: GuardFinding = { kind, found: cut, link }
      tell?.(finding)
      onFinding?.(finding)
      // A blank where both would be one address.
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
      // Of an escape that may not be complete nothing is lost.
      const overlap = scanned.settled > first ? scanned.state.overlap : state.overlap
      if (scanned.settled > first) before = folded.text.slice(Math.max(scanned.settled - overlap - leastBefore, 0), scanned.settled)
      state = { ...scanned.state, overlap }
      return output
    }

    return (chunk, isFinal) => {
      if (typeof chunk !== 'string') throw new TypeError('The guard reads text: decode bytes before, as TextDecoderStream does')
      pending += chunk
      if (!isFinal && !isTime(chunk)) return ''
      const output = look(isFinal, false)
      return pending.length < longestHeld ? output : output + look(false, true)
    }
  }
}

/** The first of ascending numbers that is not less. */
const firstFrom = (numbers: readonly number[], least: number) => {
  let low = 0
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
