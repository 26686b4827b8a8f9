import type { LinkLog } from '@countersign/sdk/contract'
import { type CheckRow, checkName } from '@countersign/sdk/words'
import { link } from '#messages/pages/link.ts'
import { StatusChip } from '../../../ui/values/status-chip.tsx'

const words = link.checks

/** Every check with its result and details. */
export const CheckList = ({ rows, logState }: { rows: readonly CheckRow[]; logState: LinkLog['state'] }) => (
  <ul className="border-line border-t">
    {rows.map((row) => (
      <li
        key={row.about}
        data-check={row.about}
        className="grid gap-x-4 gap-y-1 border-line border-b py-2.5 last:border-b-0 sm:grid-cols-[7.5rem_1fr]"
      >
        <div>
          <Result row={row} logState={logState} />
        </div>
        <div>
          <h4 className="font-semibold">{row.about === 'link' ? words.link : checkName(row.about)}</h4>
          {row.detail !== '' && <p className="text-muted text-small">{row.detail}</p>}
        </div>
      </li>
    ))}
  </ul>
)

const Result = ({ row: { about, passed }, logState }: { row: CheckRow; logState: LinkLog['state'] }) => {
  // The log was read, but does not confirm the facts.
  if (about === 'log' && passed === null) return <StatusChip tone="unk">{words.log[logState]}</StatusChip>
  if (passed === null) return <StatusChip tone="unk">{words.notChecked}</StatusChip>
  if (passed) return <StatusChip tone="ok">{words.passed}</StatusChip>
  // An unproven domain is not a failed proof.
  return about === 'domain' ? (
    <StatusChip tone="warn">{words.notProven}</StatusChip>
  ) : (
    <StatusChip tone="bad">{words.failed}</StatusChip>
  )
}
