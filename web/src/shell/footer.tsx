import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { registryHost, repositoryUrl } from '../data/registry.ts'

const words = site.layout
const { footerLinks: links, footerGroups: groups } = words

const columns = [
  {
    heading: groups.product,
    entries: [
      { label: links.verifyModel, to: '/verify-model' },
      { label: words.checkLink, to: '/v' },
      { label: links.challenge, to: '/challenge' },
      { label: links.apiDocs, to: '/docs' },
      { label: links.sdk, to: repositoryUrl ?? '/docs#sdk-examples' },
      { label: links.trust, to: '/docs#trust-levels' },
    ],
  },
  {
    heading: groups.resources,
    entries: [
      { label: links.quickStart, to: '/docs#quick-start' },
      { label: links.integration, to: '/docs#integration-patterns' },
      { label: links.reference, to: '/docs#reference' },
      { label: links.publicKeys, to: '/.well-known/jwks.json' },
    ],
  },
  {
    heading: groups.company,
    entries: [
      { label: links.about, to: '/about' },
      { label: links.security, to: '/about#security' },
      { label: links.privacy, to: '/privacy' },
      { label: links.contact, to: '/contact' },
    ],
  },
]

export const Footer = () => (
  <footer className="mt-20 border-line border-t bg-surface text-small print:hidden">
    <div className="mx-auto grid max-w-site grid-cols-2 gap-x-8 gap-y-8 px-4 py-10 sm:px-6 md:grid-cols-[2fr_1fr_1fr_1fr]">
      <div className="col-span-2 max-w-prose md:col-span-1">
        <p className="font-semibold">{site.tagline}</p>
        <p className="mt-1 text-muted">{words.footerNote(registryHost)}</p>
      </div>
      {columns.map(({ heading, entries }) => (
        <nav key={heading} aria-label={heading}>
          <p className="font-semibold">{heading}</p>
          <ul className="mt-1">
            {entries.map(({ label, to }) => (
              <li key={label}>
                {to.startsWith('/.') || to.startsWith('https:') ? (
                  <a href={to} className="link inline-block py-1">
                    {label}
                  </a>
                ) : (
                  <Link to={to} className="link inline-block py-1">
                    {label}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  </footer>
)
