import { ExternalLink as Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'

/** A link to another site with an untrusted URL: the site gets no referrer, and search engines no endorsement. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) =>
  /^https?:\/\//i.test(href) ? (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="link inline-flex items-center gap-1"
    >
      {children}
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="sr-only"> ({site.layout.opensInNewTab})</span>
    </a>
  ) : (
    <span>{children}</span>
  )
