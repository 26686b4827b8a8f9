import { type Binding, notFound, Refusal } from '@countersign/sdk/contract'

export interface MintingFacts {
  company_name: string | null
  email: string | null
  website: string | null
  archived_at: number | null
  require_deployment_proof: 0 | 1
  deployment_id: string | null
  deployment_status: 'enabled' | 'disabled' | null
  deployment_spiffe_id: string | null
  authorized_at: number | null
}

/** The decision on an origin that a provider names. */
type OriginStanding = 'own' | 'granted' | 'foreign' | 'unknown'

interface AskingPeer {
  binding: Binding
  spiffeId: string | null
}

/**
 * Why no link is issued; undefined if one may be. A presented deployment must be one that the provider enabled and authorized for the
 * model.
 */
export const mintingRefusal = (facts: MintingFacts | undefined, peer: AskingPeer | undefined): Refusal | undefined => {
  if (!facts) return notFound()
  if (facts.company_name === null || facts.email === null || facts.website === null)
    return new Refusal(
      'provider_unregistered',
      'Complete your registration before you create links: add your company name, email and website.',
    )
  if (facts.archived_at !== null)
    return new Refusal('model_archived', 'This version was archived; no links are issued for it.')
  if (facts.require_deployment_proof === 1 && (!peer || peer.binding === 'self-asserted')) {
    return new Refusal(
      'deployment_proof_required',
      'This model issues links only to a deployment that proves its key, over TLS or by a signature.',
    )
  }
  if (!peer) return undefined
  const refuse = (detail: string) => new Refusal('deployment_not_authorized', detail)
  if (facts.deployment_id === null) return refuse('No deployment with this key is registered.')
  if (facts.deployment_status !== 'enabled') return refuse('The deployment is disabled.')
  if (facts.authorized_at === null) return refuse('The deployment is not authorized for this model.')
  if (peer.spiffeId !== null && facts.deployment_spiffe_id !== null && peer.spiffeId !== facts.deployment_spiffe_id) {
    return refuse('The certificate has a different SPIFFE ID than the registered deployment.')
  }
  return undefined
}

/** At or below the domain; for an origin as the contract writes it. Details such as a port are not checked here. */
export const isPlainlyAt = (origin: string, domain: string): boolean =>
  origin === `https://${domain}` || (origin.endsWith(`.${domain}`) && !/\/\.|\.\./.test(origin))

/** Why no link may name this origin; undefined if one may. */
export const originRefusal = (origin: string, standing: OriginStanding, provider_id: string): Refusal | undefined => {
  if (standing === 'own' || standing === 'granted') return undefined
  if (standing === 'unknown')
    return new Refusal(
      'upstream_unavailable',
      `DNS did not answer whether ${origin} allows you to name it. Try again in a moment.`,
    )
  const { hostname } = new URL(origin)
  const message = `Must be at or below a domain that you have proven, or at one that publishes _countersign.${hostname} TXT "countersign-origin=${provider_id}"`
  return new Refusal('origin_not_yours', `origin: ${message}`, {
    errors: [{ loc: ['body', 'origin'], msg: message, pointer: '#/origin' }],
  })
}
