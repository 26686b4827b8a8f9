import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { registryHost } from '../data/registry.ts'

const words = site.layout

export const Footer = () => (
  <footer className="mt-20 border-line border-t bg-surface text-small print:hidden">
    <div className="mx-auto flex max-w-site flex-col gap-x-10 gap-y-6 px-4 py-8 sm:flex-row sm:justify-between sm:px-6">
      <div className="max-w-prose">
        <p className="font-semibold">{site.tagline}</p>
        <p className="mt-1 text-muted">{words.footerNote(registryHost)}</p>
      </div>
      <nav aria-label={words.footer}>
        <ul className="flex flex-wrap gap-x-6 gap-y-1">
          <li>
            <Link to="/v" className="link inline-block py-1">
              {words.checkLink}
            </Link>
          </li>
          <li>
            <a href="/openapi.json" className="link inline-block py-1">
              {words.apiReference}
            </a>
          </li>
          <li>
            <a href="/.well-known/jwks.json" className="link inline-block py-1">
              {words.publicKeys}
            </a>
          </li>
        </ul>
      </nav>
    </div>
  </footer>
)
