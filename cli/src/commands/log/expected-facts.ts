import { claimedBundle, claimedName, type ExpectedFacts } from '@countersign/sdk/log/facts'

interface Shown {
  claims: Readonly<Record<string, unknown>> | null
  provider: { id: string; domain: string | null } | null
  model: (Parameters<typeof claimedBundle>[0] & Parameters<typeof claimedName>[0]) | null
}

/** What the log must say about a verified link: what its verdict shows. */
export const expectedFactsOf = ({ claims, provider, model }: Shown): ExpectedFacts => ({
  ...claims,
  provider_id: provider?.id,
  provider_domain: provider?.domain,
  bundle: claimedBundle(model),
  named: claimedName(model),
})
