import type { VerificationResult } from '../../contract/verifications.ts'
import { refuseInsecureHttp } from '../../verify/insecure-http.ts'
import { formatLinkCode, readLink } from '../../verify/link-code.ts'
import type { LogCheck, PinnedLog } from '../../verify/log-check.ts'
import { isProof, provenDomain } from '../../verify/proven-domain.ts'
import { readToken, type TokenReading } from '../../verify/token.ts'
import { isObject, isText } from '../../verify/values.ts'
import { checkFacts, type ExpectedFacts, readFactProofs } from '../facts/facts.ts'
import { withSuccessors } from '../facts/successors.ts'
import { type LogPolicy, parsePolicy } from '../policy.ts'

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

const maxAnswerLength = 1_000_000

const couldNotCheck = (detail: string): LogCheck => ({ state: 'could_not_check', detail })

const checkAgainst = async (
  policy: LogPolicy,
  expected: ExpectedFacts,
  subject: string,
  { issuer, signal }: Omit<CheckedLink, 'link'>,
  { fetch = globalThis.fetch, timeoutMs = 10_000, insecureHttp }: PinnedLogOptions,
): Promise<LogCheck> => {
  /** Fetches JSON of the registry. */
  const ask = async (path: string): Promise<unknown> => {
    refuseInsecureHttp(issuer, insecureHttp)
    const timeout = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(issuer.replace(/\/+$/, '') + path, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (answer.status !== 200) throw new Error(`The registry answered ${answer.status}`)
    const text = await answer.text()
    if (text.length > maxAnswerLength) throw new Error('The registry’s proofs are too long')
    return JSON.parse(text)
  }
  try {
    const facts = readFactProofs(await ask(`/api/v1/log/proofs/${subject}`))
    if (!facts) return couldNotCheck('The registry’s answer has no proofs')
    const log = await checkFacts(facts, expected, policy)
    if (log.state !== 'not_logged') return log
    // The log may have a newer key that the policy does not name.
    const described = await ask('/.well-known/countersign-log')
    const successors = isObject(described) && Array.isArray(described.successors) ? described.successors : []
    return await checkFacts(facts, expected, await withSuccessors(policy, successors.filter(isText)))
  } catch (error) {
    signal?.throwIfAborted()
    return couldNotCheck(error instanceof Error ? error.message : 'The registry did not answer')
  }
}

const policyOf = (policy: LogPolicy | string): LogPolicy => {
  const read = typeof policy === 'string' ? parsePolicy(policy) : policy
  if (read.logs.length === 0) throw new TypeError('The policy names no log')
  return read
}

/** What the log must say about a token. */
const expectedOfToken = (token: TokenReading): ExpectedFacts => {
  const { claims } = token
  return {
    provider: claims.provider_id,
    domain: claims.provider_domain ?? '',
    model: claims.model_id,
    digest: claims.model_digest ?? null,
    identifier: claims.model_identifier,
    deployment:
      isProof(claims.deployment_binding) && claims.deployment_id !== undefined
        ? { id: claims.deployment_id, spki: ownKeyOf(claims.deployment_binding, claims.spki_fingerprint) }
        : null,
    platform: vouchedFor(claims.workload_issuer, claims.workload_subject),
    token,
  }
}

const vouchedFor = (issuer: unknown, subject: unknown) =>
  isText(issuer) && isText(subject) ? { issuer, subject } : undefined

/** A platform vouches for keys of a workload one by one; they are not the deployment's own. */
const ownKeyOf = (binding: string, spki: string | undefined) => (binding === 'workload' ? undefined : spki)

/** What the log must say about a link, from the registry's record. */
const expectedOfRecord = (record: VerificationResult): ExpectedFacts => {
  const { provider, model, deployment_info } = record
  return {
    provider: provider?.id ?? '',
    domain: provenDomain(record) ?? '',
    model: model?.id ?? '',
    digest: model?.model_digest ?? null,
    identifier: model?.api_model_identifier ?? '',
    deployment:
      deployment_info && isProof(deployment_info.binding)
        ? {
            id: deployment_info.deployment_id,
            spki: ownKeyOf(deployment_info.binding, deployment_info.spki_fingerprint),
          }
        : null,
    platform: vouchedFor(deployment_info?.workload?.issuer, deployment_info?.workload?.subject),
  }
}

/**
 * Whether the log of your policy has the facts behind a link that `client.verifications.check` found verified. Rejects only with the signal's
 * reason, or LogError or TypeError for the policy.
 */
export const checkLink = (
  policy: LogPolicy | string,
  record: VerificationResult,
  asked: CheckedLink,
  options: PinnedLogOptions = {},
): Promise<LogCheck> => {
  const reading = readLink(asked.link)
  // The text around a link is private.
  const subject = reading.kind === 'token' ? reading.token : reading.kind === 'code' ? formatLinkCode(reading.code) : ''
  return checkAgainst(policyOf(policy), expectedOfRecord(record), subject, asked, options)
}

/**
 * For `createVerifier({ log: pinLog(policy) })`: accepts a token only if the log of your policy has the facts behind it, and the key that signed
 * it. If the log has announced a new key since, it follows the announcements. `not_logged` if it doesn't; `unknown` while a fact is being logged, or if the registry does not answer. Throws LogError or TypeError for
 * an invalid policy.
 */
export const pinLog = (policy: LogPolicy | string, options: PinnedLogOptions = {}): PinnedLog => {
  const pinned = policyOf(policy)
  return async (verdict, link, issuer, signal) => {
    if (verdict.result !== 'verified') return verdict
    const { claims, live_state } = verdict
    const reading = readLink(link)
    const token = reading.kind === 'token' ? readToken(reading.token) : undefined
    const log =
      reading.kind === 'token' && token
        ? await checkAgainst(pinned, expectedOfToken(token), reading.token, { issuer, signal }, options)
        : couldNotCheck('Only tokens can be checked')
    const isRefused = log.state === 'not_logged' || log.state === 'logged_privately'
    const passed = log.state === 'logged' ? true : isRefused ? false : null
    const checks = [...verdict.checks, { check: 'log' as const, passed, detail: log.detail, checked_at: null }]
    if (passed) return { ...verdict, checks, log }
    return isRefused
      ? { result: 'not_verified', reason: 'not_logged', checks, live_state, claims, log }
      : { result: 'unknown', reason: 'keys_unavailable', cause: new Error(log.detail), checks, live_state, log }
  }
}
