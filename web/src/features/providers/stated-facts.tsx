import {
  type ProviderFieldWith,
  type PublicProvider,
  providerFields,
  providerFieldsWith,
} from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { providerPage } from '#messages/pages/provider-page.ts'
import { FactRow, FactRows } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { QuotedText } from '../../ui/values/quoted-text.tsx'
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

type Rows = [name: string, value: ReactNode][]

const rowsOf = (provider: PublicProvider): Rows => [
  ...providerFieldsWith({ shown: 'public' }).map((name): Rows[number] => [
    providerFields[name].label,
    name === 'compliance_certifications'
      ? noted(written(provider[name].join(', ')), words.notChecked)
      : shownValue(provider, name),
  ]),
  [words.headquarters, written(provider.headquarters)],
  [words.contact, noted(mailbox(provider.contact_email), words.contactNote)],
]

const shownValue = (provider: PublicProvider, name: ProviderFieldWith<{ shown: 'public' }>) => {
  const value = provider[name]
  if (Array.isArray(value)) return written(value.join(', '))
  if (value === null || typeof value === 'number') return value
  if (providerFields[name].kind === 'text') return quoted(value)
  return providerFields[name].kind === 'url' || name === 'website' ? address(value) : written(value)
}

// Isolate each value's text direction.
const written = (text: string | null) => (text ? <bdi>{text}</bdi> : null)
const quoted = (text: string) => (
  <QuotedText label={<p className="text-muted text-small">{words.notChecked}</p>} text={text} />
)
const address = (url: string | null) => (url ? <WebAddress url={url} /> : null)

const mailbox = (email: string | null) =>
  email ? (
    <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link">
      {email}
    </a>
  ) : null

const noted = (value: ReactNode, note: string) =>
  value && (
    <>
      {value}
      <p className="text-muted text-small">{note}</p>
    </>
  )
