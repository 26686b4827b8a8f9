import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { contactAddress, repositoryUrl } from '../../data/registry.ts'
import { Button } from '../../ui/controls/button.tsx'
import { InlineText } from './blocks/inline-text.tsx'

const words = page.support

export const Support = () => (
  <section aria-labelledby="support" className="border-line border-t pt-8">
    <h2 id="support" className="mb-2 font-bold text-h2">
      {words.heading}
    </h2>
    <p className="max-w-prose">
      <InlineText text={words.text} />
    </p>
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1">
      <li>
        <Link to="#sdk-examples" preventScrollReset className="link inline-block py-1">
          {words.examples}
        </Link>
      </li>
      {repositoryUrl !== undefined && (
        <>
          <li>
            <a href={repositoryUrl} className="link inline-block py-1">
              {words.repository}
            </a>
          </li>
          <li>
            <a href={`${repositoryUrl}/issues`} className="link inline-block py-1">
              {words.issues}
            </a>
          </li>
        </>
      )}
      <li>
        <a href={`mailto:${contactAddress}`} className="link inline-block py-1">
          {words.email(contactAddress)}
        </a>
      </li>
      <li>
        <a href="/openapi.json" className="link inline-block py-1">
          {words.openapi}
        </a>
      </li>
    </ul>
    <Button asChild look="primary" className="mt-6">
      <Link to="/contact">{words.contact}</Link>
    </Button>
  </section>
)
