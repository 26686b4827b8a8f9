import type { PublicProvider } from '@countersign/sdk/contract'
import { providerPage } from '#messages/pages/provider-page.ts'
import { findKnownProvider } from '../../data/known-providers.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Section } from '../../ui/layout/section.tsx'

const words = providerPage.request

/** For known providers: a ready-made message asking them to integrate. */
export const IntegrationRequest = ({ provider }: { provider: PublicProvider }) => {
  const known = findKnownProvider(provider)
  if (known === undefined) return null
  const page = `${location.origin}/providers/${provider.id}`
  const docs = `${location.origin}/docs#quick-start`
  const body = words.body(known.domain, page, docs)
  return (
    <Section heading={words.heading} className="mt-10 print:hidden">
      <p className="max-w-prose">{words.text(known.domain)}</p>
      <Button asChild className="mt-4">
        <a
          href={`mailto:${known.contact}?subject=${encodeURIComponent(words.subject)}&body=${encodeURIComponent(body)}`}
        >
          {words.button}
        </a>
      </Button>
    </Section>
  )
}
