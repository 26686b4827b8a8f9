import type { PublicProvider } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { providerPage } from '#messages/pages/provider-page.ts'
import { FactRow, FactRows } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { WebAddress } from '../../ui/values/web-address.tsx'

const words = providerPage.stated

/** Unchecked statements of the provider about itself. */
export const StatedFacts = ({ provider }: { provider: PublicProvider }) => {
  const rows = rowsOf(provider).filter(([, value]) => value !== null)
  return (
    <Section heading={words.heading}>
      {rows.length === 0 ? (
        <p className="text-muted">{words.nothing}</p>
      ) : (
        <FactRows>
          {rows.map(([name, value]) => (
            <FactRow key={name} name={name}>
              {value}
            </FactRow>
          ))}
        </FactRows>
      )}
    </Section>
  )
}

const rowsOf = (provider: PublicProvider): [name: string, value: ReactNode][] => [
  [words.name, written(provider.company_name)],
  [words.website, address(provider.website)],
  [words.description, written(provider.description)],
  [words.founded, provider.founded_year],
  [words.size, provider.employee_count],
  [words.headquarters, written(provider.headquarters)],
  [words.industry, written(provider.industry)],
  [words.specialties, written(provider.specialties.join(', '))],
  [words.funding, written(provider.funding_status)],
  [words.certifications, certifications(provider.compliance_certifications)],
  [words.github, address(provider.github_url)],
  [words.linkedin, address(provider.linkedin_url)],
  [words.twitter, address(provider.twitter_url)],
  [words.contact, mailbox(provider.contact_email)],
  [words.apiDocs, address(provider.api_documentation_url)],
  [words.support, address(provider.support_url)],
  [words.trustCenter, address(provider.trust_center_url)],
]

// Isolate each value's text direction.
const written = (text: string | null) => (text ? <bdi className="whitespace-pre-line">{text}</bdi> : null)
const address = (url: string | null) => (url ? <WebAddress url={url} /> : null)

const mailbox = (email: string | null) =>
  email ? (
    <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link">
      {email}
    </a>
  ) : null

const certifications = (names: readonly string[]) =>
  names.length === 0 ? null : (
    <>
      <bdi>{names.join(', ')}</bdi>
      <p className="text-muted text-small">{words.certificationsNote}</p>
    </>
  )
