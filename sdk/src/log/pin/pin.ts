import type { VerificationResult } from '../../contract/verifications.ts'
import { fetchJson } from '../../verify/fetch-json.ts'
import { refuseInsecureHttp } from '../../verify/insecure-http.ts'
import { formatLinkCode, readLink } from '../../verify/link-code.ts'
import type { LogCheck, PinnedLog } from '../../verify/log-check.ts'
import { provenDomain } from '../../verify/proven-domain.ts'
import { refuseUnknown } from '../../verify/refuse-unknown.ts'
import { readToken, type TokenReading } from '../../verify/token.ts'
import { isText } from '../../verify/values.ts'
import { ensure } from '../bytes.ts'
import { claimedBundle } from '../facts/bundle.ts'
import { claimedName } from '../facts/claimed-name.ts'
import { checkFacts, checkOfError, type ExpectedFacts, readFactProofs } from '../facts/facts.ts'
import { withSuccessors } from '../facts/successors.ts'
import { ensureOwnIds, readVkey } from '../note.ts'
import { type LogPolicy, readPolicy } from '../policy.ts'

/** Options of `pinLog` and `checkLink`. */
export interface PinnedLogOptions {
  /** Replaces the built-in `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** How long to wait for the registry; 10 000 by default. */
  timeoutMs?: number | undefined
  /** Allows asking over plain http on another machine. The proofs are checked, but others can read the link. */
  insecureHttp?: boolean | undefined
}

/** A link, and the registry that answered it. */
export interface CheckedLink {
  /** The link, code or token. */
  link: string
  /** The registry's public address. */
  issuer: string
  /** Stops waiting. */
  signal?: AbortSignal | undefined
}

const optionNames = { insecureHttp: true, fetch: true, timeoutMs: true } satisfies Record<keyof PinnedLogOptions, true>

const maxLength = 1_000_000

const checkAgainst = async (
  policy: LogPolicy,
  expected: ExpectedFacts,
  { link, token, issuer, signal }: CheckedLink & { token?: TokenReading | undefined },
  { fetch = globalThis.fetch, timeoutMs = 10_000, insecureHttp }: PinnedLogOptions,
): Promise<LogCheck> => {
  await ensureOwnIds([...policy.logs, ...policy.witnesses.values()].map(({ key }) => key))
  const ask = (path: string): Promise<unknown> =>
    fetchJson(`No proofs from ${issuer}`, issuer + path, {
      fetch: (url, init) =>
        fetch(url, signal && init?.signal ? { ...init, signal: AbortSignal.any([signal, init.signal]) } : init),
      maxLength,
      timeoutMs,
    })
  try {
    refuseInsecureHttp(issuer, insecureHttp)
    const facts = readFactProofs(await ask(`/api/v1/log/proofs/${link}`))
    const log = await checkFacts(facts, expected, policy, token)
    if (log.state !== 'not_logged') return log
    // The log may have a newer key that the policy does not name.
    const { successors } = Object(await ask('/.well-known/countersign-log'))
    return await checkFacts(facts, expected, await withSuccessors(policy, [successors].flat().filter(isText)), token)
  } catch (error) {
    signal?.throwIfAborted()
    return checkOfError(error as Error)
  }
}

const policyOf = (policy: LogPolicy | string): LogPolicy => {
  const read = isText(policy) ? readPolicy(policy, readVkey) : policy
  ensure(read.logs.length > 0, 'The policy names no log')
  return read
}

/** What the token of a link would say, and the signature of the model file, from the registry's record. */
const claimsOf = (record: VerificationResult): ExpectedFacts => {
  const { provider, model, deployment_info } = record
  return {
    provider_id: provider?.id,
    provider_domain: provenDomain(record),
    model_id: model?.id,
    model_digest: model?.model_digest,
    model_identifier: model?.api_model_identifier,
    version: model?.version,
    deployment_id: deployment_info?.deployment_id,
    deployment_binding: deployment_info?.binding,
    spki_fingerprint: deployment_info?.spki_fingerprint,
    workload_issuer: deployment_info?.workload?.issuer,
    workload_subject: deployment_info?.workload?.subject,
    bundle: claimedBundle(model),
    named: claimedName(model),
  }
}

/**
 * Whether the log of your policy has the facts behind a link that `client.verifications.check` found verified: IDs, domain, digest, server,
 * identifier, version and name of the model. The log confirms nothing else of the answer: not that the link exists or is valid, how its
 * server proved its key, or the company's name. Rejects only with the signal's reason, LogError for the policy, or TypeError for an unknown
 * option.
 *
 * @returns The {@link LogCheck}: its state, and why.
 * @example
 * ```ts
 * const { state } = await checkLink(policyText, verification, { link, issuer: 'https://registry.example' })
 * ```
 */
export const checkLink = async (
  policy: LogPolicy | string,
  record: VerificationResult,
  asked: CheckedLink,
  options: PinnedLogOptions = {},
): Promise<LogCheck> => {
  refuseUnknown('checkLink', 'option', options, optionNames)
  const reading = readLink(asked.link)
  // The text around a link is private.
  const link = reading.kind === 'token' ? reading.token : reading.kind === 'code' ? formatLinkCode(reading.code) : ''
  const issuer = asked.issuer.replace(/\/+$/, '')
  return checkAgainst(policyOf(policy), claimsOf(record), { ...asked, issuer, link }, options)
}

/**
 * For `createVerifier({ log: pinLog(policy) })`: accepts a token only if the log of your policy has the facts behind it, and
 * the key that signed it. If the log has announced a new key since, it follows the announcements. `not_logged` if it doesn't;
 * `unknown` while a fact is being logged, or if the registry does not answer.
 *
 * @returns What `createVerifier` takes as `log`.
 * @throws LogError for an invalid policy, and TypeError for an unknown option; `verify` rejects with LogError if the ID of a
 * key is not its own.
 * @example
 * ```ts
 * const log = pinLog(policyText)
 * ```
 */
export const pinLog = (policy: LogPolicy | string, options: PinnedLogOptions = {}): PinnedLog => {
  refuseUnknown('pinLog', 'option', options, optionNames)
  const pinned = policyOf(policy)
  return async (verdict, link, issuer, signal) => {
    if (verdict.result !== 'verified') return verdict
    const { claims, live_state } = verdict
    const reading = readLink(link)
    const text = 'token' in reading ? reading.token : ''
    const token = readToken(text)
    const log = token
      ? await checkAgainst(pinned, claims, { link: text, token, issuer, signal }, options)
      : checkOfError(new Error('Not a token'))
    const { state, detail } = log
    // Only `not_logged` and `logged_privately` are certain.
    const passed = state === 'logged' || (/^[nl]/.test(state) ? false : null)
    const checks = [...verdict.checks, { check: 'log' as const, passed, detail, checked_at: null }]
    const judged = { checks, live_state, log }
    if (passed) return { ...verdict, ...judged }
    return passed === null
      ? { result: 'unknown', reason: 'keys_unavailable', cause: new Error(detail), ...judged }
      : { result: 'not_verified', reason: 'not_logged', claims, ...judged }
  }
}
