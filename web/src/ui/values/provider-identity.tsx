import { quote } from '@countersign/sdk/words'
import { site } from '#messages/site.ts'

interface ProviderIdentityProps {
  name: string | null
  domain: string | null
  isVerified: boolean
}

/** A provider's proven domain, then its self-reported name. If nothing is proven, that comes first. */
export const ProviderIdentity = ({ name, domain, isVerified }: ProviderIdentityProps) =>
  isVerified && domain !== null ? (
    <span>
      <bdi className="font-semibold">{domain}</bdi>{' '}
      {name !== null && <bdi className="ms-1 font-normal text-muted">{quote(name)}</bdi>}
    </span>
  ) : (
    <span>
      <span className="font-normal text-warn">{site.provider.notProven}</span>{' '}
      <bdi className="ms-1 font-normal">{name === null ? site.provider.unnamed : quote(name)}</bdi>
    </span>
  )
