import { isFar } from '../verify/drift.ts'
import { type Outcome, readVerdict } from '../verify/verdict.ts'

/** Why a link is not verified on this page. */
export type Why = Exclude<Outcome, 'verified' | 'provider_only' | 'could_not_check'> | 'elsewhere'

/** `code` is the link's, if the registry knows the link. */
export type BadgeVerdict =
  | { state: 'verified' | 'company-only'; domain: string; expiresAtMs: number; checkedAtMs: number; code: string }
  | { state: 'not-verified'; why: Why; madeFor?: string; code?: string }
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
  const known = record && { code: record.link_code }
  if (outcome !== 'verified' && outcome !== 'provider_only') return { state: 'not-verified', why: outcome, ...known }
  // A misbehaving cache may return an old answer.
  if (record === null || domain === null || isFar(checkedAtMs, nowMs)) return { state: 'could-not-check' }
  const { origin, is_origin_lost, expires_at, link_code: code } = record
  if (is_origin_lost) return { state: 'not-verified', why: 'elsewhere', code }
  if (origin !== null && origin !== pageOrigin)
    return { state: 'not-verified', why: 'elsewhere', madeFor: origin, code }
  return {
    state: outcome === 'verified' ? 'verified' : 'company-only',
    domain,
    expiresAtMs: Date.parse(expires_at),
    checkedAtMs,
    code,
  }
}
