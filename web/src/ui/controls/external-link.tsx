import { ExternalLink as Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'

/** To another site, whose owner wrote the address: it learns nothing of this page, and this page vouches for nothing of it. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) =>
  /^https?:\/\//i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" className="link inline-flex items-center gap-1">
      {children}
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="sr-only"> ({site.layout.opensInNewTab})</span>
    </a>
  ) : (
    <span>{children}</span>
  )
