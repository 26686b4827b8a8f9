import type { DeploymentProof } from '../contract/deployments.ts'
import type { Check, VerificationResult } from '../contract/verifications.ts'

/** The part of an answer that the domain is read from. */
interface About {
  provider: Pick<NonNullable<VerificationResult['provider']>, 'domain' | 'domain_verified'> | null
  checks: readonly Pick<Check, 'check' | 'passed'>[]
}

/** Whether this binding proves the server's key. Unknown bindings prove nothing. It imports nothing: the console loads it early. */
export const isProof = (binding: unknown): binding is DeploymentProof =>
  /^(mtls|proxy|signed|workload)$/.test(binding as string)

/** Whether a check with this name passed. */
export const passes = (checks: About['checks'], name: string): boolean =>
  checks.some(({ check, passed }) => check === name && passed)

/**
 * The provider's proven domain, or null. It must have been verified when the link was issued and still be:
 * `provider.domain_verified` covers only now, the `domain` check covers both. It does not mean that the link is valid.
 *
 * @returns The domain, such as `acme.example`, or null.
 * @example
 * ```ts
 * const domain = provenDomain(verification) ?? 'not proven'
 * ```
 */
export const provenDomain = ({ provider, checks }: About): string | null =>
  provider?.domain_verified === true && passes(checks, 'domain') ? provider.domain : null
