import type { DeploymentProof } from '../contract/deployments.ts'
import type { Check, VerificationResult } from '../contract/verifications.ts'
import { matches } from './values.ts'

/** The part of an answer that the domain is read from. */
interface About {
  provider: Pick<NonNullable<VerificationResult['provider']>, 'domain' | 'domain_verified'> | null
  checks: readonly Pick<Check, 'check' | 'passed'>[]
}

/** Whether this binding proves the server's key. Unknown bindings prove nothing. */
export const isProof = matches(/^(mtls|proxy|signed|workload)$/) as (binding: unknown) => binding is DeploymentProof

/** Whether a check with this name passed. */
export const passes = (checks: About['checks'], name: string): boolean =>
  checks.some(({ check, passed }) => check === name && passed)

/**
 * The provider's proven domain, or null. It must have been verified when the link was issued and still be:
 * `provider.domain_verified` covers only now, the `domain` check covers both. It does not mean that the link is valid.
 */
export const provenDomain = ({ provider, checks }: About): string | null =>
  provider?.domain_verified === true && passes(checks, 'domain') ? provider.domain : null
