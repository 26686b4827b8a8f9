import type { Model } from '@countersign/sdk/contract'

type Stated = Pick<Model, 'endpoint' | 'provider_domain' | 'provider_domain_verified'>

/** Whether the endpoint that a provider states is at or below its proven domain. It can state any address, also another company's. */
export const isAtProvenDomain = ({ endpoint, provider_domain: domain, provider_domain_verified }: Stated): boolean => {
  const host = URL.parse(endpoint)?.hostname ?? ''
  return provider_domain_verified && domain !== null && (host === domain || host.endsWith(`.${domain}`))
}
