import { ExternalLink } from '../controls/external-link.tsx'

interface WebAddressProps {
  url: string
  /** The rest could name another company. */
  isHostAlone?: boolean
}

/** A link that shows its target. The host is shown as browsers resolve it, so that lookalike letters are visible. */
export const WebAddress = ({ url, isHostAlone = false }: WebAddressProps) => {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '' }
  return <ExternalLink href={url}>{isHostAlone || pathname === '/' ? host : `${host}${pathname}`}</ExternalLink>
}
