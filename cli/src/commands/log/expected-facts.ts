import type { ExpectedFacts } from '@countersign/sdk/log/facts'

/** What the log must say about a verified link: what its verdict shows. */
export const expectedFactsOf = ({
  claims,
  provider,
}: {
  claims: Readonly<Record<string, unknown>> | null
  provider: { id: string; domain: string | null } | null
}): ExpectedFacts => ({ ...claims, provider_id: provider?.id, provider_domain: provider?.domain })
