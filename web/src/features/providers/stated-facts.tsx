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
import { QuotedText, QuotedValues } from '../../ui/values/quoted-text.tsx'
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
    shownValue(provider, name),
  ]),
  [words.headquarters, provider.headquarters && quoted([provider.headquarters])],
  [words.contact, mailbox(provider.contact_email)],
]

const shownValue = (provider: PublicProvider, name: ProviderFieldWith<{ shown: 'public' }>) => {
  const value = provider[name]
  if (Array.isArray(value)) return quoted(value, name === 'compliance_certifications')
  if (value === null || typeof value === 'number') return value
  const { kind } = providerFields[name]
  if (kind === 'text') return <QuotedText label={notChecked} text={value} />
  if (kind === 'choice') return value
  return kind === 'url' || name === 'website' ? address(value) : quoted([value])
}

const notChecked = <p className="text-muted text-small">{words.notChecked}</p>
const quoted = (texts: readonly string[], isNoted = false) =>
  texts.length === 0 ? null : <QuotedValues note={words.notChecked} isNoted={isNoted} texts={texts} />
const address = (url: string | null) => (url ? <WebAddress url={url} /> : null)

const mailbox = (email: string | null) =>
  email ? (
    <>
      <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link">
        {email}
      </a>
      <p className="text-muted text-small">{words.contactNote}</p>
    </>
  ) : null
