import { isFar } from '../verify/drift.ts'
import { type Outcome, readVerdict } from '../verify/verdict.ts'

/** Why a link is not verified here, as far as a visitor needs to know. */
export type Why = Exclude<Outcome, 'verified' | 'provider_only' | 'could_not_check'> | 'elsewhere'

export type BadgeVerdict =
  | { state: 'verified' | 'company-only'; domain: string; expiresAtMs: number; checkedAtMs: number }
  | { state: 'not-verified'; why: Why; madeFor?: string }
  | { state: 'could-not-check' }

interface Place {
  registry: string
  /** The code that was asked about, or the `jti` of the token. */
  link: string
  pageOrigin: string
  /** Since the registry was asked. */
  elapsedMs: number
  /** On the clock of this machine. */
  nowMs: number
}

/**
 * What a badge shows of the registry's answer about a link, on a page of that origin. A link that was made for another site
 * is not verified here, whatever it is there.
 */
export const badgeOf = (answer: unknown, { registry, link, pageOrigin, elapsedMs, nowMs }: Place): BadgeVerdict => {
  const checkedAtMs = Date.parse(answer !== null && typeof answer === 'object' && 'checked_at' in answer ? String(answer.checked_at) : '')
  const { outcome, domain, record } = readVerdict(answer, { issuer: registry, at: checkedAtMs + elapsedMs, link })
  if (outcome === 'could_not_check') return { state: 'could-not-check' }
  if (outcome !== 'verified' && outcome !== 'provider_only') return { state: 'not-verified', why: outcome }
  // A cache that keeps what it should not may give an answer of last year.
  if (record === null || domain === null || isFar(checkedAtMs, nowMs)) return { state: 'could-not-check' }
  const { origin, expires_at } = record
  if (origin !== null && origin !== pageOrigin) return { state: 'not-verified', why: 'elsewhere', madeFor: origin }
  return { state: outcome === 'verified' ? 'verified' : 'company-only', domain, expiresAtMs: Date.parse(expires_at), checkedAtMs }
}
