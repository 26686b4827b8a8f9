import { ConnectionError, TimeoutError } from '../api-error.ts'
import type { Countersign } from '../client.ts'
import { cleanLine } from '../contract/text.ts'
import type { Verification } from '../contract/verifications.ts'
import { abortErrorOf } from '../retry.ts'
import { hashResponse } from '../verify/hash-response.ts'
import { formatLinkCode, readLink } from '../verify/link-code.ts'
import { createIssuedLinks } from './issued-links.ts'
import { createSharedFlight, type SharedFlight } from './shared-flight.ts'

const reusableMs = 120_000
const defaultMaxLinks = 10_000
const maxSessionIdLength = 512
const mostMints = 2

/** A link for one chat: give `url` to the person in it. */
export interface VerificationLink {
  /** `<public url>/v/XXXX-XXXX-XXXX-XXXX`. */
  readonly url: string
  /** `XXXX-XXXX-XXXX-XXXX`: what a person may type instead. */
  readonly code: string
  /** Signed JWT, for `verifications.bind` and offline verification. It is no link: keep it out of the chat. */
  readonly token: string
  readonly verificationId: string
  /** ISO 8601 in UTC, by the registry's clock. */
  readonly expiresAt: string
  /** The phrase that the link was made for; its page shows it. */
  readonly challenge: string | null
  /** The https origin where the chat should be; its page shows it. */
  readonly origin: string | null
}

export interface LinkIssuerOptions {
  /** A client with a key that may mint (`scope: links`). */
  client: { readonly verifications: Pick<Countersign['verifications'], 'create'> }
  /** The model that this runtime runs, `mdl_…`. Nothing that a model or a visitor says changes it. */
  modelId: string
  /** The https origin of your chat, for every link that is not asked for with another. */
  origin?: string
  /** How many links are remembered, over all sessions; 10 000 by default (about 16 MB). */
  maxLinks?: number
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: () => number
  /** Milliseconds that only ever grow; `performance.now` by default. */
  uptime?: () => number
}

export interface GetLinkOptions {
  /** A phrase that the visitor said: at most 64 letters, digits, spaces and hyphens. */
  challenge?: string | null
  /** Instead of the issuer's `origin`. */
  origin?: string
  /** Ends this call's wait with `AbortError`; others who wait for the same link go on. */
  signal?: AbortSignal
}

/** Hands out links, one at a time for each session, and knows whose they are. */
export interface LinkIssuer {
  /**
   * A link with at least two minutes left: the session's last one, or a new one. However many ask at once for the same
   * session, challenge and origin, one link is minted. Throws what `verifications.create` throws; a failure is not remembered.
   * Throws TypeError for a session id that is empty or longer than 512 characters, and `TimeoutError` where the registry
   * answered so late that its link was over.
   */
  get(sessionId: string, options?: GetLinkOptions): Promise<VerificationLink>
  /** The links that this session was given, oldest first, as far as they are remembered: the last sixteen at most. */
  issuedTo(sessionId: string): readonly VerificationLink[]
  /** Whether a code, spelled `XXXX-XXXX-XXXX-XXXX`, is remembered as another session's. */
  isOthers(sessionId: string, code: string): boolean
}

/** For what a link was asked, and until when it may be handed out again, by each clock. */
interface Terms {
  key: string
  mintedAt: number
  reusableUntil: number
  reusableUntilUptime: number
}

/**
 * Issues the links of one model. Session ids leave the process as their SHA-256 only. Memory is bounded: under a flood of
 * sessions the quietest are forgotten, and get a new link when they ask again.
 *
 * A link's age is measured by two clocks, from before it was asked for: one that the operating system may set, and one that
 * may stand still while the machine sleeps. A link is reused only while both say that it may be. Throws TypeError where
 * `modelId` is none.
 */
export const createLinkIssuer = (options: LinkIssuerOptions): LinkIssuer => {
  const { client, modelId, now = Date.now, uptime = () => performance.now() } = options
  if (!/^mdl_\w+$/.test(modelId)) throw new TypeError('modelId is the id of a registered model, mdl_…')
  const issued = createIssuedLinks<VerificationLink>(options.maxLinks ?? defaultMaxLinks)
  const terms = new WeakMap<VerificationLink, Terms>()
  const flights = new Map<string, SharedFlight<VerificationLink>>()

  const isReusable = (link: VerificationLink, key: string) => {
    const held = terms.get(link)
    if (held?.key !== key) return false
    const at = now()
    return at >= held.mintedAt && at <= held.reusableUntil && uptime() <= held.reusableUntilUptime
  }

  const mint = async (session: string, key: string, challenge: string | null, origin: string | undefined, signal: AbortSignal) => {
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
      } else if (mints === mostMints) throw new TimeoutError('The registry answered so late that its link was over')
    }
  }

  return {
    get: async (sessionId, { challenge: given, origin = options.origin, signal } = {}) => {
      checkSessionId(sessionId)
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

const checkSessionId = (sessionId: unknown) => {
  if (typeof sessionId === 'string' && sessionId !== '' && sessionId.length <= maxSessionIdLength) return
  throw new TypeError(`A session id has 1 to ${maxSessionIdLength} characters`)
}

const readMinted = (minted: Verification, challenge: string | null, origin: string | undefined): VerificationLink => {
  const reading = readLink(minted.verification_url)
  if (reading.kind !== 'code' || !(minted.expires_in > 0))
    throw new ConnectionError('The answer is not a registry’s: is the address right?', { retryable: false })
  const { verification_url: url, token, verification_id: verificationId, expires_at: expiresAt } = minted
  return Object.freeze({ url, code: formatLinkCode(reading.code), token, verificationId, expiresAt, challenge, origin: origin ?? null })
}
