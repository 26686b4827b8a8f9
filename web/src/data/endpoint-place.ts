import type { Model } from '@countersign/sdk/contract'

type Stated = Pick<Model, 'endpoint' | 'provider_domain' | 'provider_domain_verified'>

/** Whether the endpoint that a provider states is at or below its proven domain. It can state any address, also another company's. */
export const isAtProvenDomain = ({ endpoint, provider_domain: domain, provider_domain_verified }: Stated): boolean => {
  const host = URL.parse(endpoint)?.hostname ?? ''
  return provider_domain_verified && domain !== null && (host === domain || host.endsWith(`.${domain}`))
}

/** The address that browsers open, in ASCII. A long one is cut after its host, never through it. */
export const endpointText = (endpoint: string): string => {
  const url = URL.parse(endpoint)
  if (url === null) return ''
  return url.href.length <= 200 ? url.href : `${url.origin}/…`
}

/** The host alone: a path could read as a statement of the page. */
export const endpointPlace = (endpoint: string): string => {
  const url = URL.parse(endpoint)
  if (url === null) return ''
  return url.href === `${url.origin}/` ? url.host : `${url.host}/…`
}
