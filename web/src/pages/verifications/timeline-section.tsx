import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/link.ts'
import { formatTime } from '#messages/site.ts'
import { Section } from '../../ui/section.tsx'
import { momentsOf } from './timeline.ts'

/** What was checked and when, in order. */
export const Timeline = ({ record }: { record: VerificationResult }) => (
  <Section heading={link.timeline.heading}>
    <ol className="border-line border-t">
      {momentsOf(record).map(({ time, what }) => (
        <li key={`${time} ${what}`} className="grid gap-x-4 border-line border-b py-2.5 sm:grid-cols-[14rem_1fr]">
          <time dateTime={time} className="text-muted text-small leading-6">
            {formatTime(time)}
          </time>
          <span>{what}</span>
        </li>
      ))}
    </ol>
  </Section>
)
