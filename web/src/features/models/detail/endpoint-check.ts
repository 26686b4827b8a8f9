import type { Model } from '@countersign/sdk/contract'
import { isAtProvenDomain } from '../../../data/endpoint-place.ts'

type Monitored = Pick<Model, 'endpoint' | 'health_status' | 'provider_domain' | 'provider_domain_verified'>

/** A provider can name any endpoint, and others answer as well: it passes only at the provider's proven domain. */
export const endpointCheck = (model: Monitored): { result: 'passed' | 'failed' | 'open'; isElsewhere: boolean } => {
  const { health_status } = model
  if (health_status !== 'healthy')
    return { result: health_status === 'unhealthy' ? 'failed' : 'open', isElsewhere: false }
  return isAtProvenDomain(model) ? { result: 'passed', isElsewhere: false } : { result: 'open', isElsewhere: true }
}
