import type { Check } from '../contract/verifications.ts'

/** What to do about a verdict, by its reason; for others the link is at fault. */
const nextSteps: Readonly<Record<string, string>> = {
  foreign_registry: 'Check "issuer"',
  provider_unverified: '"allowUnverifiedProvider" accepts it',
  keys_unavailable: 'That says nothing about the link',
}

/** The failed check, if one failed. */
export const failedCheck = (checks: readonly Check[] | undefined): Check | undefined =>
  checks?.find(({ passed }) => passed === false)

/** Why a verdict is not `verified`: its reason, the failed check or the cause in words, and what to do. */
export const whyNot = (verdict: { reason: string; checks?: readonly Check[]; cause?: unknown }): string => {
  const { reason, checks, cause } = verdict
  const failed = failedCheck(checks)
  const why = failed ? `${failed.check}: ${failed.detail}. ` : cause ? `${(cause as Error).message}. ` : ''
  return `${reason}. ${why}${nextSteps[reason] ?? 'Do not rely on it; ask for a new one'}`
}
