import { jwksMaxAgeSeconds } from '../contract/limits.ts'
import type { Jwks } from '../contract/signing.ts'
import type { Check, CheckName, Claims, Reason } from '../contract/verifications.ts'
import { checkExpectation, type Expectation, expectationCheck } from './expectation.ts'
import { refuseInsecureHttp } from './insecure-http.ts'
import type { JwksCache } from './key-cache.ts'
import { type CurrentKeys, createFixedKeys, createRemoteKeys, type KeySource } from './key-source.ts'
import { foreignCheck, formatCheck } from './link-checks.ts'
import { readLink } from './link-code.ts'
import type { LogCheck, PinnedLog } from './log-check.ts'
import { completeChecks, fillChecks } from './offline-checks.ts'
import { isProof } from './proven-domain.ts'
import { createRecent } from './recent.ts'
import { must, refuseUnknown } from './refuse-unknown.ts'
import { checkToken, type PublicKeys, readToken, type TokenReading, type TokenVerdict, timeRefusal } from './token.ts'
import { isObject, isText, originOf } from './values.ts'
import { failedCheck, whyNot } from './why-not.ts'

/** Options of `createVerifier`. Unknown names throw `TypeError`. */
export interface VerifierOptions {
  /** The registry's public address, exactly as its tokens say in `iss`. */
  issuer: string
  /** The keys, or their address; `<issuer>/.well-known/jwks.json` by default. */
  jwks?: Jwks | URL | string | undefined
  /** Allows fetching keys over plain http from another machine, where others can replace them. */
  insecureHttp?: boolean | undefined
  /** Replaces the built-in `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** How long fetched keys are current, and so how long a compromised key may still be trusted; 300 000 by default. */
  cacheMaxAgeMs?: number | undefined
  /** The minimum time between two fetches for unknown keys; 30 000 by default. */
  cooldownMs?: number | undefined
  /** How much longer old keys may be used while the registry does not answer; 0 by default. Verdicts are then `stale`. */
  staleIfErrorMs?: number | undefined
  /** Shares fetched keys between processes or edge invocations; within one process, a `Map` is enough. */
  jwksCache?: JwksCache | undefined
  /** Tolerated clock difference; 5 by default, at most 300. */
  clockToleranceSeconds?: number | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
  /** Accepts only tokens whose facts are in a transparency log, with `pinLog`: one more request for each token. */
  log?: PinnedLog | undefined
}

/** Options of one check. */
export interface VerifyOptions {
  /** Exact values that the token must have. */
  expect?: Expectation | undefined
  /** Accept tokens minted without a proven domain. */
  allowUnverifiedProvider?: boolean | undefined
  /** Stops waiting for keys; `verify` rejects with its reason. */
  signal?: AbortSignal | undefined
}

/** The three verdicts, offline. None knows what happened since minting, so `live_state` is `not_checked`. `log` is set only with `pinLog`. */
export type OfflineVerdict = { log?: LogCheck } & (
  | { result: 'verified'; claims: Claims; checks: Check[]; live_state: 'not_checked'; stale: boolean }
  /** `claims` is set only if the registry signed them. */
  | {
      result: 'not_verified'
      reason: Reason | 'not_logged'
      checks: Check[]
      live_state: 'not_checked'
      claims?: Claims
    }
  | { result: 'unknown'; reason: 'keys_unavailable'; cause: unknown; checks: Check[]; live_state: 'not_checked' }
)

/** Checks tokens offline. */
export interface Verifier {
  /**
   * Checks a token, or a link with one. A link code, or a link with a code, is `unknown` with `keys_unavailable`: only
   * `client.verifications.check` can check it, online. To check offline, get the token from the program that made the link:
   * `verifications.create` and `issuer.get` return it.
   *
   * @returns The {@link OfflineVerdict}: `verified` with the claims, `not_verified` with the reason, or `unknown`.
   * @throws Only the signal’s reason, and `TypeError` for an invalid argument or option.
   * @example
   * ```ts
   * const { result, checks } = await verifier.verify(token)
   * ```
   */
  verify(input: string, options?: VerifyOptions): Promise<OfflineVerdict>
  /**
   * The claims of a verified token.
   *
   * @returns The claims.
   * @throws `VerificationError` unless the token is verified, and what `verify` throws.
   * @example
   * ```ts
   * const { model_id } = await verifier.assert(token, { expect: { provider_domain: 'acme.example' } })
   * ```
   */
  assert(input: string, options?: VerifyOptions): Promise<Claims>
}

/** Thrown by `assert` for a token that was not verified or could not be checked. */
export class VerificationError extends Error {
  /** Name of the class. */
  override name = 'VerificationError'
  /** The verdict. */
  declare readonly result: 'not_verified' | 'unknown'
  /** Why the token is not verified. */
  declare readonly reason: Reason | 'not_logged'
  /** The check that failed; undefined if none did. Its sentence and what to do are in `message`. */
  declare readonly check: CheckName | undefined
  // Private, so that logs of the error stay short.
  readonly #checks: Check[]

  constructor(verdict: Exclude<OfflineVerdict, { result: 'verified' }>) {
    super(`verifier.assert: ${whyNot(verdict)}`, verdict as ErrorOptions)
    this.result = verdict.result
    this.reason = verdict.reason
    this.check = failedCheck(verdict.checks)?.check
    this.#checks = verdict.checks
  }

  /** Every check with its result. */
  get checks(): Check[] {
    return this.#checks
  }
}

/** A token whose signature, issuer and form are valid with these keys. */
interface Genuine {
  claims: Claims
  kid: unknown
  keys: PublicKeys
  /** When the signature was checked. */
  checkedAt: string
}

const verifierOptionNames = {
  issuer: true,
  jwks: true,
  insecureHttp: true,
  fetch: true,
  cacheMaxAgeMs: true,
  cooldownMs: true,
  staleIfErrorMs: true,
  jwksCache: true,
  clockToleranceSeconds: true,
  now: true,
  log: true,
} satisfies Record<keyof VerifierOptions, true>
const verifyOptionNames = { expect: true, allowUnverifiedProvider: true, signal: true } satisfies Record<
  keyof VerifyOptions,
  true
>

const recentTokens = 1_000
const mostToleranceSeconds = 300
const live_state = 'not_checked'
const createCall = 'createVerifier'

/** Throws TypeError for a number that would disable its limit, such as NaN. */
const refuseUnbounded = (name: string, given: unknown = 0, max = Number.MAX_SAFE_INTEGER) =>
  must(typeof given === 'number' && given >= 0 && given <= max, createCall, name, `from 0 to ${max}`)

/**
 * Checks tokens offline; only the registry's public keys are fetched and cached.
 *
 * @returns The {@link Verifier}. Nothing is fetched before its first call.
 * @throws `TypeError` that names the option, if one is unknown or invalid; `InsecureHttpError` for keys over plain http from
 * another machine.
 * @example
 * ```ts
 * const verifier = createVerifier({ issuer: 'https://registry.example' })
 * const verdict = await verifier.verify(token, { expect: { provider_domain: 'acme.example' } })
 * if (verdict.result === 'verified') console.log(verdict.claims.model_identifier)
 * ```
 */
export const createVerifier = (options: VerifierOptions): Verifier => {
  refuseUnknown(createCall, 'option', options, verifierOptionNames)
  refuseUnbounded('clockToleranceSeconds', options.clockToleranceSeconds, mostToleranceSeconds)
  for (const name of ['cacheMaxAgeMs', 'cooldownMs', 'staleIfErrorMs'] as const) refuseUnbounded(name, options[name])
  must(isText(options.issuer) && originOf(options.issuer), createCall, 'issuer', 'the registry’s address')
  const { clockToleranceSeconds = 5, now = Date.now } = options
  const issuer = options.issuer.replace(/\/+$/, '')
  const { origin } = new URL(issuer)
  const source = createKeySource(options, issuer, now)
  const recent = createRecent<Genuine>(recentTokens)

  const decideToken = (
    input: string,
    reading: TokenReading,
    given: VerifyOptions,
  ): OfflineVerdict | Promise<OfflineVerdict> => {
    const check = ({ keys, stale }: CurrentKeys) => {
      const conclude = ({ reason, genuine, checks }: TokenVerdict) => {
        if (reason !== null) return refuse(reason, checks, genuine ? reading.claims : undefined)
        const known = { claims: reading.claims, kid: reading.header.kid, keys, checkedAt: checks[0]?.checked_at ?? '' }
        recent.set(input, known)
        return decideClaims(known, stale, given)
      }
      const verdict = checkToken({ reading, keys, issuer, now: now(), clockToleranceSeconds })
      return isLater(verdict) ? verdict.then(conclude) : conclude(verdict)
    }
    // Another registry's token does not cause a fetch of keys.
    if (reading.claims.iss !== issuer || reading.header.alg !== 'EdDSA') return check({ keys: new Map(), stale: false })
    const current = source.peek(reading.header.kid)
    return current === undefined ? source.get(reading.header.kid).then(check, unavailable) : check(current)
  }

  const decide = (input: string, given: VerifyOptions): OfflineVerdict | Promise<OfflineVerdict> => {
    const known = recent.get(input)
    if (known !== undefined && timeRefusal(known.claims, now(), clockToleranceSeconds) === undefined) {
      const current = source.peek(known.kid)
      if (current?.keys === known.keys) return decideClaims(known, current.stale, given)
    }
    // A bare token needs no search.
    const bare = input.startsWith('eyJ') ? readToken(input) : undefined
    if (bare !== undefined) return decideToken(input, bare, given)
    const reading = readLink(input)
    if (reading.kind === 'malformed') return refuse('malformed', [formatCheck('malformed')])
    if (reading.origin !== null && reading.origin !== origin)
      return refuse('foreign_registry', [foreignCheck(reading.origin)])
    if (reading.kind === 'mistyped') return refuse('mistyped', [formatCheck('mistyped')])
    if (reading.kind === 'code')
      return unavailable(new Error('A link code needs verifications.check; here, pass a token'), 'A link code')
    const token = readToken(reading.token)
    return token === undefined ? refuse('malformed', [formatCheck('not_a_token')]) : decideToken(input, token, given)
  }

  const verify = async (input: string, given: VerifyOptions = {}): Promise<OfflineVerdict> => {
    refuseUnknown('verify', 'option', given, verifyOptionNames)
    must(isText(input), 'verify', 'input', 'a link, a code or a token')
    const { signal, expect } = given
    if (expect !== undefined) checkExpectation('verify', expect)
    signal?.throwIfAborted()
    const decided = decide(input, given)
    const verdict = isLater(decided) && signal ? untilAborted(decided, signal) : decided
    return options.log ? options.log(await verdict, input, issuer, signal) : verdict
  }

  const assert = async (input: string, given?: VerifyOptions): Promise<Claims> => {
    const verdict = await verify(input, given)
    if (verdict.result !== 'verified') throw new VerificationError(verdict)
    return verdict.claims
  }

  return { verify, assert }
}

// Not instanceof: promises may come from another realm.
const isLater = <T extends object>(value: T | Promise<T>): value is Promise<T> => 'then' in value

const createKeySource = (options: VerifierOptions, issuer: string, now: () => number): KeySource => {
  const {
    jwks = `${issuer}/.well-known/jwks.json`,
    cacheMaxAgeMs = jwksMaxAgeSeconds * 1_000,
    cooldownMs = 30_000,
    staleIfErrorMs = 0,
    jwksCache,
  } = options
  if (isObject(jwks) && 'keys' in jwks) return createFixedKeys(jwks)
  must(originOf(jwks), createCall, 'jwks', 'keys or their address')
  refuseInsecureHttp(String(jwks), options.insecureHttp)
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  return createRemoteKeys({ url: String(jwks), fetch, cacheMaxAgeMs, cooldownMs, staleIfErrorMs, jwksCache, now })
}

/* ---- deciding on the claims of a genuine token ---- */

const decideClaims = (
  genuine: Genuine,
  stale: boolean,
  { expect, allowUnverifiedProvider }: VerifyOptions,
): OfflineVerdict => {
  // A copy, so that callers cannot change the cached claims.
  const claims = { ...genuine.claims }
  const { checkedAt } = genuine
  const expected = expect && expectationCheck(expect, factsOf(claims), checkedAt)
  const checks = completeChecks(checkedAt, claims, expected)
  if (claims.provider_domain === undefined && !allowUnverifiedProvider)
    return refuse('provider_unverified', checks, claims)
  if (expected?.passed === false) return refuse('claim_mismatch', checks, claims)
  return { result: 'verified', claims, checks, live_state, stale }
}

/** Facts proven at minting. */
const factsOf = (claims: Claims): Expectation => ({
  ...claims,
  spki_fingerprint: isProof(claims.deployment_binding) ? claims.spki_fingerprint : undefined,
})

const refuse = (reason: Reason, checks: Check[], claims?: Claims): OfflineVerdict => ({
  result: 'not_verified',
  reason,
  checks: fillChecks(checks),
  live_state,
  ...(claims && { claims }),
})

const unavailable = (cause: unknown, detail = 'A verification token'): OfflineVerdict => ({
  result: 'unknown',
  reason: 'keys_unavailable',
  cause,
  checks: fillChecks([{ check: 'format', passed: true, detail, checked_at: null }]),
  live_state,
})

const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop))
}
