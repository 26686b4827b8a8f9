import type { VerificationResult } from '@countersign/sdk/contract'
import { limitsOf } from '@countersign/sdk/words'
import { link } from '#messages/pages/link.ts'
import { Section } from '../../ui/layout/section.tsx'

const { limits } = link

export const NotProven = ({ record, domain }: { record: VerificationResult; domain: string | null }) => (
  <Section heading={limits.heading} className="mt-10 rounded-surface bg-sunken p-5 print:border print:border-line">
    <ul className="grid list-disc gap-1.5 ps-5">
      {limitsOf(record, domain).map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </Section>
)
