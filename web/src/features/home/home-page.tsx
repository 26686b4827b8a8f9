import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { home } from '#messages/pages/home.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Steps } from '../../ui/layout/steps.tsx'
import { ExampleChat } from './example-chat.tsx'
import { FindBox } from './find-box.tsx'
import { SampleEntry } from './sample-entry.tsx'

const words = home

export const HomePage = () => {
  useDocumentTitle(words.title)
  return (
    <PageMain state="ready">
      <div className="mx-auto grid max-w-site items-center gap-x-16 gap-y-12 px-4 pt-12 pb-16 sm:px-6 lg:grid-cols-[6fr_5fr] lg:py-20">
        <div>
          <h1 className="heading-display">{words.heading}</h1>
          <p className="mt-5 mb-8 max-w-prose text-intro text-muted">{words.intro}</p>
          <FindBox />
          <p className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
            <Link to="/models" className="link inline-flex min-h-6 items-center">
              {words.actions.browse}
            </Link>
            <Link to="/providers" className="link inline-flex min-h-6 items-center">
              {words.actions.providers}
            </Link>
            <Link to="/sample" className="link inline-flex min-h-6 items-center">
              {words.actions.samples}
            </Link>
          </p>
        </div>
        <ExampleChat />
      </div>
      <Band>
        <Section heading={words.how.heading} className="">
          <Steps steps={words.how.steps} isNumbered />
        </Section>
      </Band>
      <div className="mx-auto max-w-site px-4 py-14 sm:px-6">
        <Section heading={words.pillars.heading} className="">
          <p className="max-w-prose">{words.pillars.text}</p>
          <Steps steps={words.pillars.items} />
          <p className="mt-6 max-w-prose text-muted text-small">{words.pillars.later}</p>
        </Section>
      </div>
      <div className="mx-auto grid max-w-site gap-x-16 px-4 sm:px-6 lg:grid-cols-[6fr_5fr]">
        <Section heading={words.limits.heading} className="min-w-0 border-line border-t pt-10">
          <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
            <Rows heading={words.limits.checked} items={words.limits.does} />
            <Rows heading={words.limits.notChecked} items={words.limits.doesNot} />
          </div>
        </Section>
        <div className="mt-14 min-w-0 lg:mt-0">
          <ForProviders />
        </div>
      </div>
      {/* Last on the page: when it loads, only the footer moves. */}
      <div className="mx-auto max-w-site px-4 sm:px-6">
        <SampleEntry />
      </div>
    </PageMain>
  )
}

const Band = ({ children }: { children: ReactNode }) => (
  <div className="border-line border-y bg-surface">
    <div className="mx-auto max-w-site px-4 py-14 sm:px-6">{children}</div>
  </div>
)

const commands = `countersign providers register
countersign providers verify-domain
countersign models register ./atlas-chat.safetensors
countersign tokens mint`

const ForProviders = () => (
  <Section heading={words.providers.heading} className="border-line border-t pt-10">
    <p className="max-w-prose">{words.providers.text}</p>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block must be reachable by keyboard
      tabIndex={0}
      className="my-4 overflow-x-auto rounded-surface border border-line bg-sunken p-4 font-mono text-small"
    >
      {commands}
    </pre>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button asChild>
        <Link to="/verify-model">{words.providers.verify}</Link>
      </Button>
      <Button asChild>
        <Link to="/register">{words.providers.register}</Link>
      </Button>
      <Link to="/docs" className="link inline-flex min-h-6 items-center">
        {words.providers.docs}
      </Link>
    </div>
  </Section>
)

const Rows = ({ heading, items }: { heading: string; items: readonly string[] }) => (
  <div>
    <h3 className="border-ink border-t-2 pt-3 font-semibold">{heading}</h3>
    <ul>
      {items.map((item) => (
        <li key={item} className="border-line border-b py-2.5 text-small">
          {item}
        </li>
      ))}
    </ul>
  </div>
)
