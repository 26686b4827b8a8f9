import type { PublicProvider } from '@countersign/sdk/contract'

interface KnownProvider {
  /** As the registry verified it. A company's name is no key: anyone may call themselves anything. */
  domain: string
  /** Where requests to integrate go. */
  contact: string
  /** Whether its models stand in the demo chat. */
  isInChat?: true
}

/** The providers that this site names itself: change the list to the ones that your visitors ask for. */
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
