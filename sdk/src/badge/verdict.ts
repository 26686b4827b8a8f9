import { isFar } from '../verify/drift.ts'
import { type Outcome, readVerdict } from '../verify/verdict.ts'

/** Why a link is not verified on this page. */
export type Why = Exclude<Outcome, 'verified' | 'provider_only' | 'could_not_check'> | 'elsewhere'

export type BadgeVerdict =
  | { state: 'verified' | 'company-only'; domain: string; expiresAtMs: number; checkedAtMs: number }
  | { state: 'not-verified'; why: Why; madeFor?: string }
  | { state: 'could-not-check' }

interface Place {
  registry: string
  /** The code, or the `jti` of the token. */
  link: string
  pageOrigin: string
  /** Time since the request was sent. */
  elapsedMs: number
  /** By this machine's clock. */
  nowMs: number
}

/**
 * What a badge shows for the registry's answer about a link, on a page of `pageOrigin`. A link made for another site is not verified
 * here.
 */
export const badgeOf = (answer: unknown, { registry, link, pageOrigin, elapsedMs, nowMs }: Place): BadgeVerdict => {
  const checkedAtMs = Date.parse(
    answer !== null && typeof answer === 'object' && 'checked_at' in answer ? String(answer.checked_at) : '',
  )
  const { outcome, domain, record } = readVerdict(answer, { issuer: registry, at: checkedAtMs + elapsedMs, link })
  if (outcome === 'could_not_check') return { state: 'could-not-check' }
  if (outcome !== 'verified' && outcome !== 'provider_only') return { state: 'not-verified', why: outcome }
  // A misbehaving cache may return an old answer.
  if (record === null || domain === null || isFar(checkedAtMs, nowMs)) return { state: 'could-not-check' }
  const { origin, is_origin_lost, expires_at } = record
  if (is_origin_lost) return { state: 'not-verified', why: 'elsewhere' }
  if (origin !== null && origin !== pageOrigin) return { state: 'not-verified', why: 'elsewhere', madeFor: origin }
  return {
    state: outcome === 'verified' ? 'verified' : 'company-only',
    domain,
    expiresAtMs: Date.parse(expires_at),
    checkedAtMs,
  }
}
