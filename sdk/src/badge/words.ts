import type { BadgeVerdict, Why } from './verdict.ts'

/** Short reasons; the link's page says more. */
const reasons: Readonly<Record<Why, string>> = {
  provider_unverified: 'this company’s identity has not been checked',
  check_failed: 'a check failed',
  expired: 'the link has expired',
  revoked: 'the link is no longer valid',
  archived: 'the company has withdrawn this model',
  gone: 'the link is no longer valid',
  not_found: 'the registry never made this link',
  forged: 'the registry did not sign this',
  mistyped: 'the link is mistyped',
  malformed: 'this is not a verification link',
  foreign: 'the link belongs to another registry',
  elsewhere: 'the link was made for another site',
  refused: 'the link did not pass',
}

const reasonOf = ({ why, madeFor }: Extract<BadgeVerdict, { state: 'not-verified' }>) =>
  madeFor === undefined ? reasons[why] : `the link was made for ${madeFor}`

/** `12:33`, minutes and seconds. */
const timeOf = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export interface BadgeText {
  /** Shown in bold. */
  headline: string
  rest: string
  /** The remaining time. */
  time: string
}

export const timeLeft = (ms: number): string => `${timeOf(ms)} left`

/** The text of a badge. Nothing in it comes from the page. */
export const textOf = (verdict: BadgeVerdict | undefined, registryHost: string, leftMs: number): BadgeText => {
  if (verdict === undefined) return { headline: 'Checking the link…', rest: '', time: '' }
  switch (verdict.state) {
    case 'verified':
      return { headline: verdict.domain, rest: `verified by ${registryHost}`, time: timeLeft(leftMs) }
    case 'company-only':
      return {
        headline: verdict.domain,
        rest: `company confirmed by ${registryHost}, AI not confirmed`,
        time: timeLeft(leftMs),
      }
    case 'not-verified':
      return { headline: 'Not verified:', rest: reasonOf(verdict), time: '' }
    case 'could-not-check':
      return {
        headline: 'Could not check:',
        rest: `${registryHost} gave no answer; the link may be good or bad`,
        time: '',
      }
    default:
      return verdict satisfies never
  }
}
