import type { Model } from '@countersign/sdk/contract'

type Monitored = Pick<Model, 'endpoint' | 'health_status' | 'provider_domain' | 'provider_domain_verified'>

const isOwn = ({ endpoint, provider_domain: domain, provider_domain_verified }: Monitored): boolean => {
  const host = URL.parse(endpoint)?.hostname ?? ''
  return provider_domain_verified && domain !== null && (host === domain || host.endsWith(`.${domain}`))
}

/** A provider can name any endpoint, and others answer as well: it passes only at the provider's proven domain. */
export const endpointCheck = (model: Monitored): { result: 'passed' | 'failed' | 'open'; isElsewhere: boolean } => {
  const { health_status } = model
  if (health_status !== 'healthy')
    return { result: health_status === 'unhealthy' ? 'failed' : 'open', isElsewhere: false }
  return isOwn(model) ? { result: 'passed', isElsewhere: false } : { result: 'open', isElsewhere: true }
}
