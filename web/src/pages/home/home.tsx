import { home } from '#messages/home.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { PageMain } from '../../ui/page-main.tsx'
import { Section } from '../../ui/section.tsx'
import { LinkBox } from '../verifications/link-box.tsx'
import { ExampleChat } from './example-chat.tsx'

const words = home

export const HomePage = () => {
  useDocumentTitle(words.title)
  return (
    <PageMain>
      <div className="mx-auto grid max-w-site items-center gap-x-16 gap-y-12 px-4 pt-12 pb-16 sm:px-6 lg:grid-cols-[6fr_5fr] lg:py-20">
        <div>
          <h1 className="heading-display">{words.heading}</h1>
          <p className="mt-5 mb-8 max-w-prose text-intro text-muted">{words.intro}</p>
          <LinkBox />
        </div>
        <ExampleChat />
      </div>
      <div className="border-line border-y bg-surface">
        <Section heading={words.how.heading} className="mx-auto max-w-site px-4 py-14 sm:px-6">
          <ol className="mt-6 grid gap-8 md:grid-cols-3">
            {words.how.steps.map(({ name, text }, index) => (
              <li key={name} className="border-ink border-t-2 pt-4">
                <p aria-hidden className="font-semibold text-muted text-small">
                  {index + 1}
                </p>
                <h3 className="font-semibold">{name}</h3>
                <p className="mt-1 text-muted">{text}</p>
              </li>
            ))}
          </ol>
        </Section>
      </div>
      <div className="mx-auto grid max-w-site gap-x-16 px-4 sm:px-6 lg:grid-cols-[6fr_5fr]">
        <Section heading={words.limits.heading} className="mt-14 min-w-0">
          <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
            <Rows heading={words.limits.checked} items={words.limits.does} />
            <Rows heading={words.limits.notChecked} items={words.limits.doesNot} />
          </div>
        </Section>
        <Section heading={words.providers.heading} className="mt-14 min-w-0">
          <p className="max-w-prose">{words.providers.text}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="my-4 overflow-x-auto rounded-surface border border-line bg-sunken p-4 font-mono text-small">
            {commands}
          </pre>
          <a href="/openapi.json" className="link">
            {words.providers.reference}
          </a>
        </Section>
      </div>
    </PageMain>
  )
}

const commands = `countersign providers register
countersign providers verify-domain
countersign models register ./atlas-chat.safetensors
countersign tokens mint`

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
