import type { VerificationResult } from '@countersign/sdk/contract'
import { Moment } from '../moment.tsx'
import { momentsOf } from './timeline.ts'

export const Timeline = ({ record }: { record: VerificationResult }) => (
  <ol className="border-line border-t">
    {momentsOf(record).map(({ time, what }) => (
      <li
        key={`${time} ${what}`}
        className="grid gap-x-4 border-line border-b py-2.5 last:border-b-0 sm:grid-cols-[14rem_1fr]"
      >
        <span className="text-muted text-small leading-6">
          <Moment time={time} />
        </span>
        <span>{what}</span>
      </li>
    ))}
  </ol>
)
