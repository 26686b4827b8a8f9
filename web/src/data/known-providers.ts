import type { PublicProvider } from '@countersign/sdk/contract'

interface KnownProvider {
  /** The verified domain. A company name is not an identifier: anyone can use any name. */
  domain: string
  /** The address for integration requests. */
  contact: string
  /** Whether its models are in the demo chat. */
  isInChat?: true
}

/** Providers that this site mentions by name. Change the list to the ones your visitors ask for. */
export const knownProviders: readonly KnownProvider[] = [
  { domain: 'northwind.example', contact: 'integrations@northwind.example', isInChat: true },
  { domain: 'acme.example', contact: 'integrations@acme.example', isInChat: true },
  { domain: 'meridian.example', contact: 'integrations@meridian.example', isInChat: true },
  { domain: 'tidewater.example', contact: 'integrations@tidewater.example', isInChat: true },
  { domain: 'lanternworks.example', contact: 'integrations@lanternworks.example' },
  { domain: 'greyfinch.example', contact: 'integrations@greyfinch.example' },
]

export const findKnownProvider = ({ domain, domain_verified }: Pick<PublicProvider, 'domain' | 'domain_verified'>) =>
  domain_verified ? knownProviders.find((known) => known.domain === domain) : undefined
