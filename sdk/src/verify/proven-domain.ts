import type { Check, VerificationResult } from '../contract/verifications.ts'

/** What of an answer about a link the domain is read from. */
interface About {
  provider: Pick<NonNullable<VerificationResult['provider']>, 'domain' | 'domain_verified'> | null
  checks: readonly Pick<Check, 'check' | 'passed'>[]
}

/** Whether a server proved its key so. A kind of proof that is not known here is none. */
export const isProof = (binding: unknown): binding is 'mtls' | 'proxy' => binding === 'mtls' || binding === 'proxy'

/** Whether one of the checks of that name passed. */
export const passes = (checks: About['checks'], name: string): boolean => checks.some(({ check, passed }) => check === name && passed)

/**
 * The domain that the provider of a link is known by, or null. Only a domain that was verified when the link was issued and
 * still is counts: `provider.domain_verified` alone tells of now, and the `domain` check of both. It says nothing about
 * whether the link itself is good.
 */
export const provenDomain = ({ provider, checks }: About): string | null =>
  provider?.domain_verified === true && passes(checks, 'domain') ? provider.domain : null
