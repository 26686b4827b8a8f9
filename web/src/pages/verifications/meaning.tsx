import type { VerificationResult } from '@countersign/sdk/contract'
import { limitsOf } from '@countersign/sdk/words'
import { link } from '#messages/link.ts'
import { Section } from '../../ui/section.tsx'

const { means, limits } = link

export const Means = ({ model, domain }: { model: string; domain: string }) => {
  const { authentic, secure, trusted } = means.items
  return (
    <Section heading={means.heading}>
      <dl className="grid gap-2">
        <Item name={authentic.name} text={authentic.text(domain, model)} />
        <Item name={secure.name} text={secure.text} />
        <Item name={trusted.name} text={trusted.text(domain)} />
      </dl>
    </Section>
  )
}

const Item = ({ name, text }: { name: string; text: string }) => (
  <div className="grid gap-x-4 sm:grid-cols-[7.5rem_1fr]">
    <dt className="font-semibold">{name}</dt>
    <dd>{text}</dd>
  </div>
)

export const NotProven = ({ record, domain }: { record: VerificationResult; domain: string | null }) => (
  <Section heading={limits.heading} className="mt-10 rounded-surface bg-sunken p-5 print:border print:border-line">
    <ul className="grid list-disc gap-1.5 ps-5">
      {limitsOf(record, domain).map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </Section>
)
