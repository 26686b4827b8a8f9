import { ExternalLink } from '../controls/external-link.tsx'

/** A link whose words are where it goes. The host stands as browsers resolve it, so that no letter passes for another. */
export const WebAddress = ({ url }: { url: string }) => <ExternalLink href={url}>{readable(url)}</ExternalLink>

const readable = (url: string) => {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '' }
  return pathname === '/' ? host : `${host}${pathname}`
}
