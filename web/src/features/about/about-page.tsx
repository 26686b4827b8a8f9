import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { about } from '#messages/pages/about.ts'
import { site } from '#messages/site.ts'
import { contactAddress } from '../../data/registry.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Bullets } from '../../ui/layout/bullets.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Steps } from '../../ui/layout/steps.tsx'

const words = about

export const AboutPage = () => {
  const { hash } = useLocation()
  useDocumentTitle(site.title(words.title))
  // The page renders after the browser has already tried to scroll to the anchor.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-site px-4 pt-12 sm:px-6">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-3 max-w-prose text-intro text-muted">{words.intro}</p>
      <Section heading={words.idea.heading}>
        <div className="grid max-w-prose gap-4">
          {words.idea.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </Section>
      <Section heading={words.pillars.heading}>
        <Steps steps={words.pillars.items} />
        <p className="mt-6 max-w-prose text-muted text-small">{words.pillars.later}</p>
      </Section>
      <Section heading={words.limits.heading}>
        <p className="max-w-prose">{words.limits.text}</p>
      </Section>
      <div id="security" className="scroll-mt-6">
        <Section heading={words.security.heading}>
          <h3 className="mt-5 mb-2 font-semibold">{words.security.keeps.heading}</h3>
          <Bullets items={words.security.keeps.items} />
          <h3 className="mt-8 mb-2 font-semibold">{words.security.report.heading}</h3>
          <p className="max-w-prose">{words.security.report.text(contactAddress)}</p>
          <p className="mt-3 max-w-prose">{words.security.incidents}</p>
          <p className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
            <Link to="/contact" className="link">
              {words.security.report.link}
            </Link>
            <Link to="/docs#trust-levels" className="link">
              {words.security.docs}
            </Link>
          </p>
        </Section>
      </div>
      <div className="mt-12 flex flex-wrap gap-3">
        <Button asChild>
          <Link to="/">{words.actions.home}</Link>
        </Button>
        <Button look="primary" asChild>
          <Link to="/models">{words.actions.browse}</Link>
        </Button>
        <Button asChild>
          <Link to="/docs">{words.actions.docs}</Link>
        </Button>
      </div>
    </PageMain>
  )
}
