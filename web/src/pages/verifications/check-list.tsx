import type { Check } from '@countersign/sdk/contract'
import { link } from '#messages/link.ts'
import { formatTime } from '#messages/site.ts'
import { registryHost } from '../../data/registry.ts'
import { Section } from '../../ui/section.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { type CheckRow, rowsOf } from './check-rows.ts'

const words = link.checks

/** Every check, passed or not: what, what was seen, who looked and when. */
export const CheckList = ({ checks }: { checks: Check[] }) => (
  <Section heading={words.heading}>
    <ul className="border-line border-t">
      {rowsOf(checks).map((row) => (
        <li key={row.about} data-check={row.about} className="grid gap-x-4 gap-y-1 border-line border-b py-3 sm:grid-cols-[7.5rem_1fr]">
          <div>
            <Outcome row={row} />
          </div>
          <div>
            <h3 className="font-semibold">{row.about === 'link' ? words.link : words.names[row.about]}</h3>
            {row.detail !== '' && <p className="text-muted text-small">{row.detail}</p>}
            <p className="mt-0.5 text-micro text-muted">
              {row.passed === null || row.checkedAt === null ? words.notBy : words.by(registryHost, formatTime(row.checkedAt))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)

const Outcome = ({ row: { about, passed } }: { row: CheckRow }) => {
  if (passed === null) return <StatusChip tone="unk">{words.notChecked}</StatusChip>
  if (passed) return <StatusChip tone="ok">{words.passed}</StatusChip>
  // Nobody proving a domain is not the same as a proof that failed.
  return about === 'domain' ? <StatusChip tone="warn">{words.notProven}</StatusChip> : <StatusChip tone="bad">{words.failed}</StatusChip>
}
