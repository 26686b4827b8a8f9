import type { Change, Check, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { link } from '#messages/link.ts'
import { formatTime } from '#messages/site.ts'
import { elapsedMs, type Instant } from '../../data/instant.ts'
import type { LinkAnswer } from '../../data/verifications.ts'
import type { LinkState } from './link-state.ts'

/** What the page says: one state, and what is known of the link behind it. */
export interface Verdict {
  state: LinkState
  reason: Reason | null
  change: Change | null
  checks: Check[]
  record: VerificationResult | null
}

const stateOfCode: Record<LinkErrorCode, LinkState> = {
  link_malformed: 'malformed',
  link_mistyped: 'mistyped',
  link_forged: 'forged',
  link_unknown: 'not-found',
  link_foreign: 'foreign',
  link_expired: 'expired',
  link_revoked: 'revoked',
  link_archived: 'archived',
  link_gone: 'gone',
  could_not_check: 'could-not-check',
}

/** The states in which a link is still good for something; all others are a failure, or no answer. */
export const isCurrent = (state: LinkState) => state === 'verified' || state === 'unknown-provider' || state === 'check-failed'

/** The registry's time at an instant of this page, never behind it. */
export const registryTime = (record: VerificationResult, askedAt: Instant, at: Instant) =>
  Date.parse(record.checked_at) + elapsedMs(askedAt, at)

/** From the registry's answer and the clock alone. No answer is never a good one. */
export const readVerdict = (answer: LinkAnswer | undefined, at: Instant): Verdict => {
  if (answer === undefined) return { state: 'could-not-check', reason: null, change: null, checks: [], record: null }
  if (answer.kind === 'refusal') {
    const { code, reason, change, checks, verification } = answer.refusal
    return { state: stateOfCode[code] ?? 'failed', reason, change, checks: tellChecks(checks, verification), record: verification }
  }
  const { record, askedAt } = answer
  // Written so that an unreadable time counts as over.
  if (registryTime(record, askedAt, at) < Date.parse(record.expires_at)) {
    return { state: stateOfRecord(record), reason: record.reason, change: record.change, checks: tellChecks(record.checks, record), record }
  }
  const checks = record.checks.map((check) => afterTheEnd(check, record))
  return { state: 'expired', reason: 'expired', change: 'expired', checks: tellChecks(checks, record), record }
}

const stateOfRecord = (record: VerificationResult): LinkState => {
  const isLive = record.live_state === 'checked' && record.model !== null && record.provider !== null
  if (!isLive || record.status === 'not_verified') return 'could-not-check'
  if (record.checks.some(({ check, passed }) => passed === false && check !== 'domain')) return 'check-failed'
  if (provenDomain(record) === null || record.status === 'provider_unverified') return 'unknown-provider'
  return record.result === 'verified' && record.status === 'verified' ? 'verified' : 'could-not-check'
}

export const domainCheckOf = (record: VerificationResult) => record.checks.find(({ check }) => check === 'domain')

const rank = (check: Check) => (check.passed === false ? 0 : check.passed === true ? 1 : 2)

/** Failed first, not checked last. What the caller only named about itself never counts as passed. */
const tellChecks = (checks: readonly Check[], record: VerificationResult | null): Check[] => {
  const isNamedOnly = record?.deployment_info?.binding === 'self-asserted'
  const told = checks.map((check) =>
    check.check === 'deployment' && check.passed === true && isNamedOnly ? { ...check, passed: null } : check,
  )
  return told.toSorted((a, b) => rank(a) - rank(b))
}

/** The time ran out on this page, after the registry looked. */
const afterTheEnd = (check: Check, { expires_at }: VerificationResult): Check =>
  check.check === 'time' ? { ...check, passed: false, detail: link.checks.timeOver(formatTime(expires_at)), checked_at: expires_at } : check
