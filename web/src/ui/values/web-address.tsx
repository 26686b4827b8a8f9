import { ExternalLink } from '../controls/external-link.tsx'

/** A link that shows its target. The host is shown as browsers resolve it, so that lookalike letters are visible. */
export const WebAddress = ({ url }: { url: string }) => <ExternalLink href={url}>{readable(url)}</ExternalLink>

const readable = (url: string) => {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '' }
  return pathname === '/' ? host : `${host}${pathname}`
}
