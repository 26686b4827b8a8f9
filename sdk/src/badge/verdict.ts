import { provenDomain } from '../verify/proven-domain.ts'

/** Why a link is not verified, as far as a visitor needs to know. */
export type Why =
  | 'unproven'
  | 'expired'
  | 'withdrawn'
  | 'unknown'
  | 'forged'
  | 'mistyped'
  | 'malformed'
  | 'foreign'
  | 'elsewhere'
  | 'refused'

export type BadgeVerdict =
  | { state: 'verified'; domain: string; expiresAtMs: number; checkedAtMs: number }
  | { state: 'not-verified'; why: Why; madeFor?: string }
  | { state: 'could-not-check' }

const whyOfCode: Readonly<Record<string, Why>> = {
  link_malformed: 'malformed',
  link_mistyped: 'mistyped',
  link_forged: 'forged',
  link_unknown: 'unknown',
  link_foreign: 'foreign',
  link_expired: 'expired',
  link_revoked: 'withdrawn',
  link_archived: 'withdrawn',
  link_gone: 'withdrawn',
}

const unchecked: BadgeVerdict = { state: 'could-not-check' }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

type Check = Parameters<typeof provenDomain>[0]['checks'][number]

const checksOf = (body: Record<string, unknown>): Check[] =>
  Array.isArray(body.checks) ? body.checks.filter((check): check is Check => isObject(check)) : []

/** The domain, where the registry says without a reservation that the link is good. */
const verifiedDomain = (body: Record<string, unknown>): string | null => {
  const checks = checksOf(body)
  const isGood = body.result === 'verified' && body.status === 'verified' && body.live_state === 'checked'
  if (!isGood || !isObject(body.provider) || checks.some(({ passed }) => passed === false)) return null
  const { domain, domain_verified } = body.provider
  return typeof domain === 'string' && domain_verified === true ? provenDomain({ provider: { domain, domain_verified }, checks }) : null
}

/**
 * What a badge makes of the registry's answer about a link, on a page of that origin. A link that was made for another
 * site is not verified here, whatever it is there. Whatever does not look like the registry's answer is none.
 */
export const readVerdict = (body: unknown, pageOrigin: string): BadgeVerdict => {
  if (!isObject(body)) return unchecked
  if (typeof body.code === 'string' && body.result === 'not_verified') {
    return { state: 'not-verified', why: whyOfCode[body.code] ?? 'refused' }
  }
  if (body.status === 'provider_unverified') return { state: 'not-verified', why: 'unproven' }
  const domain = verifiedDomain(body)
  const expiresAtMs = Date.parse(String(body.expires_at))
  const checkedAtMs = Date.parse(String(body.checked_at))
  if (domain === null || Number.isNaN(expiresAtMs - checkedAtMs)) return unchecked
  if (typeof body.origin === 'string' && body.origin !== pageOrigin) {
    return { state: 'not-verified', why: 'elsewhere', madeFor: body.origin }
  }
  return { state: 'verified', domain, expiresAtMs, checkedAtMs }
}
