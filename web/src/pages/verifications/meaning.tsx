import type { VerificationResult } from '@countersign/sdk/contract'
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

/** Names only what the link carries. An unknown provider may have named any address. */
const copiedOf = ({ challenge, origin }: VerificationResult, domain: string | null) =>
  [limits.chat, challenge && limits.phrase, origin && domain !== null && limits.origin(origin)].filter(Boolean).join(' ')

export const NotProven = ({ record, domain }: { record: VerificationResult; domain: string | null }) => (
  <Section heading={limits.heading} className="mt-10 rounded-surface bg-sunken p-5 print:border print:border-line">
    <ul className="grid list-disc gap-1.5 ps-5">
      {[copiedOf(record, domain), ...limits.items].map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </Section>
)
