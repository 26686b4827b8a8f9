import { Link } from 'react-router-dom'
import { privacy } from '#messages/pages/privacy.ts'
import { site } from '#messages/site.ts'
import { contactAddress, registryHost } from '../../data/registry.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Bullets } from '../../ui/layout/bullets.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Section } from '../../ui/layout/section.tsx'

const words = privacy

export const PrivacyPage = () => {
  useDocumentTitle(site.title(words.title))
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-3 text-intro text-muted">{words.intro(registryHost)}</p>
      {words.sections.map((section) => (
        <Section key={section.heading} heading={section.heading}>
          {'groups' in section
            ? section.groups.map(({ name, items }) => (
                <div key={name} className="mt-5">
                  <h3 className="mb-2 font-semibold">{name}</h3>
                  <Bullets items={items} />
                </div>
              ))
            : 'items' in section && <Bullets items={section.items} />}
        </Section>
      ))}
      <Section heading={words.contact.heading}>
        <p>{words.contact.text}</p>
        <p className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
          <a href={`mailto:${contactAddress}`} className="link">
            {contactAddress}
          </a>
          <Link to="/contact" className="link">
            {words.contact.link}
          </Link>
        </p>
      </Section>
      <Button asChild className="mt-10">
        <Link to="/">{words.home}</Link>
      </Button>
    </PageMain>
  )
}
