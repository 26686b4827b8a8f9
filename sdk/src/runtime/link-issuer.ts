import { ConnectionError, TimeoutError } from '../api-error.ts'
import type { Countersign } from '../client.ts'
import { cleanLine } from '../contract/text.ts'
import type { Verification } from '../contract/verifications.ts'
import { abortErrorOf } from '../retry.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { hashResponse } from '../verify/hash-response.ts'
import { formatLinkCode, readLink } from '../verify/link-code.ts'
import { must } from '../verify/refuse-unknown.ts'
import { isText, originOf } from '../verify/values.ts'
import { createIssuedLinks } from './issued-links.ts'
import { createSharedFlight, type SharedFlight } from './shared-flight.ts'

const issuerOptionForms: OptionForms<LinkIssuerOptions> = {
  client: 'a client',
  modelId: true,
  origin: true,
  maxLinks: true,
  now: true,
  uptime: true,
}
const getOptionForms: OptionForms<GetLinkOptions> = { challenge: true, origin: true, signal: true }

const createCall = 'createLinkIssuer'
const getCall = 'issuer.get'
const reusableMs = 120_000
const defaultMaxLinks = 10_000
const maxSessionIdLength = 512
const mostMints = 2

/** A link for one chat. Show `url` to its user. */
export interface VerificationLink {
  /** `<public url>/v/XXXX-XXXX-XXXX-XXXX`. */
  readonly url: string
  /** `XXXX-XXXX-XXXX-XXXX`, for typing. */
  readonly code: string
  /** Signed JWT for `verifications.bind` and offline verification. Never show it in the chat. */
  readonly token: string
  /** ID of the verification (`vrf_…`). */
  readonly verificationId: string
  /** ISO 8601 in UTC, by the registry's clock. */
  readonly expiresAt: string
  /** The user's phrase, shown on the link's page. */
  readonly challenge: string | null
  /** The https origin of the chat, shown on the link's page. */
  readonly origin: string | null
}

/** Options of `createLinkIssuer`. */
export interface LinkIssuerOptions {
  /** A client with a key that may mint (`scope: links`). */
  client: {
    readonly verifications: {
      readonly create: (...given: Parameters<Countersign['verifications']['create']>) => Promise<Verification>
    }
  }
  /** The model that this runtime runs, `mdl_…`. Neither a model nor a user can change it. */
  modelId: string
  /** The https origin of your chat; the default for every link. */
  origin?: string | undefined
  /** How many links are remembered in all sessions; 10 000 by default (about 16 MB). */
  maxLinks?: number | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  uptime?: (() => number) | undefined
}

/** Options of one link. */
export interface GetLinkOptions {
  /** The user's phrase: at most 64 letters, digits, spaces and hyphens. */
  challenge?: string | null | undefined
  /** Overrides the issuer's `origin`. */
  origin?: string | undefined
  /** Ends this call with `AbortError`; other calls waiting for the same link continue. */
  signal?: AbortSignal | undefined
}

/** Issues links, one at a time per session, and remembers their session. */
export interface LinkIssuer {
  /**
   * Returns a link with at least two minutes left: the session's last one, or a new one. Concurrent calls for the same session,
   * challenge and origin share one link.
   *
   * @returns The {@link VerificationLink}; show its `url`, keep its `token`.
   * @throws The errors of `verifications.create`, which are not cached. `TypeError` for an invalid option, and for a session ID
   * that is empty or longer than 512 characters. `TimeoutError` if the link had expired when the registry answered.
   * @example
   * ```ts
   * const { url } = await issuer.get('session-7', { challenge: 'blue otter 42' })
   * ```
   */
  get(sessionId: string, options?: GetLinkOptions): Promise<VerificationLink>
  /**
   * The session's remembered links, oldest first; at most sixteen.
   *
   * @returns The links; an empty list for an unknown session.
   * @example
   * ```ts
   * const codes = issuer.issuedTo('session-7').map(({ code }) => code)
   * ```
   */
  issuedTo(sessionId: string): readonly VerificationLink[]
  /**
   * Whether a code (`XXXX-XXXX-XXXX-XXXX`) is remembered as another session's.
   *
   * @returns False for a code that is not remembered.
   * @example
   * ```ts
   * const isStolen = issuer.isOthers('session-7', 'W904-2CKW-GDNC-X7S1')
   * ```
   */
  isOthers(sessionId: string, code: string): boolean
}

/** What a link was requested for, and until when it may be reused, by each clock. */
interface Terms {
  key: string
  mintedAt: number
  reusableUntil: number
  reusableUntilUptime: number
}

/**
 * Creates an issuer for the links of one model. Session IDs leave the process only as SHA-256. Memory is bounded: with too many
 * sessions, the least active ones are forgotten and get a new link next time.
 *
 * A link's age is measured by two clocks from before its request: one can be changed by the operating system, the other can
 * stop while the machine sleeps. A link is reused only while both allow it.
 *
 * @returns The {@link LinkIssuer}. Nothing is sent before its first `get`.
 * @throws `TypeError` that names the option, if one is unknown, missing or cannot work.
 * @example
 * ```ts
 * const issuer = createLinkIssuer({ client, modelId: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' })
 * const { url } = await issuer.get('session-7')
 * ```
 */
export const createLinkIssuer = (options: LinkIssuerOptions): LinkIssuer => {
  checkOptions(createCall, options, issuerOptionForms)
  const { client, modelId, maxLinks = defaultMaxLinks, now = Date.now, uptime = () => performance.now() } = options
  must(client.verifications?.create, createCall, 'client', 'a client, of createClient')
  must(/^mdl_\w+$/.test(modelId), createCall, 'modelId', 'the ID of a model, mdl_…')
  must(maxLinks >= 1, createCall, 'maxLinks', 'a number from 1')
  mustBeOrigin(createCall, options.origin)
  const issued = createIssuedLinks<VerificationLink>(maxLinks)
  const terms = new WeakMap<VerificationLink, Terms>()
  const flights = new Map<string, SharedFlight<VerificationLink>>()

  const isReusable = (link: VerificationLink, key: string) => {
    const term = terms.get(link)
    if (term?.key !== key) return false
    const at = now()
    return at >= term.mintedAt && at <= term.reusableUntil && uptime() <= term.reusableUntilUptime
  }

  const mint = async (
    session: string,
    key: string,
    challenge: string | null,
    origin: string | undefined,
    signal: AbortSignal,
  ) => {
    const user_fingerprint = await hashResponse(session)
    for (let mints = 1; ; mints++) {
      const mintedAt = now()
      const startedAt = uptime()
      const minted = await client.verifications.create(
        { model_id: modelId, user_fingerprint, challenge: challenge ?? undefined, origin },
        { signal },
      )
      if (signal.aborted) throw abortErrorOf(signal)
      const link = readMinted(minted, challenge, origin)
      const lifetimeMs = minted.expires_in * 1_000
      const leftMs = lifetimeMs - Math.max(now() - mintedAt, uptime() - startedAt)
      if (leftMs > 0) {
        const reuseMs = lifetimeMs - reusableMs
        terms.set(link, { key, mintedAt, reusableUntil: mintedAt + reuseMs, reusableUntilUptime: startedAt + reuseMs })
        issued.add(session, link)
        if (leftMs >= reusableMs || mints === mostMints) return link
      } else if (mints === mostMints) throw new TimeoutError('The link had expired')
    }
  }

  return {
    get: async (sessionId, asked = {}) => {
      checkOptions(getCall, asked, getOptionForms)
      const { challenge: given, origin = options.origin, signal } = asked
      mustBeSessionId(getCall, sessionId)
      must(isText(given ?? ''), getCall, 'challenge', 'a string')
      mustBeOrigin(getCall, origin)
      if (signal?.aborted) throw abortErrorOf(signal)
      const challenge = cleanLine(given ?? '') || null
      const key = JSON.stringify([challenge, origin])
      const reusable = issued.of(sessionId).findLast((link) => isReusable(link, key))
      if (reusable !== undefined) return reusable
      const flightKey = JSON.stringify([sessionId, key])
      let flight = flights.get(flightKey)
      if (flight === undefined) {
        const end = () => {
          if (flights.get(flightKey) === flight) flights.delete(flightKey)
        }
        flight = createSharedFlight((stop) => mint(sessionId, key, challenge, origin, stop).finally(end), end)
        flights.set(flightKey, flight)
      }
      return flight.join(signal)
    },
    issuedTo: issued.of,
    isOthers: (sessionId, code) => {
      const owner = issued.ownerOf(code)
      return owner !== undefined && owner !== sessionId
    },
  }
}

/** Throws TypeError for anything but the ID of a session. */
export const mustBeSessionId = (call: string, given: unknown) =>
  must(
    isText(given) && given !== '' && given.length <= maxSessionIdLength,
    call,
    'sessionId',
    `a string of 1 to ${maxSessionIdLength} characters`,
  )

const mustBeOrigin = (call: string, given: string | undefined) =>
  must(given === undefined || originOf(given) === given, call, 'origin', 'an origin without a path')

const readMinted = (minted: Verification, challenge: string | null, origin: string | undefined): VerificationLink => {
  const reading = readLink(minted.verification_url)
  const { verification_url: url, token, verification_id: verificationId, expires_at: expiresAt } = minted
  const code = reading.kind === 'code' ? formatLinkCode(reading.code) : null
  // The model repeats the address to the person, so it must contain nothing else.
  if (code === null || url !== `${reading.origin}/v/${code}` || !(minted.expires_in > 0))
    throw new ConnectionError('The answer is not from a registry: check its address', { retryable: false })
  return Object.freeze({
    url,
    code,
    token,
    verificationId,
    expiresAt,
    challenge,
    origin: origin ?? null,
  })
}
