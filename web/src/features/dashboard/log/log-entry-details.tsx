import type { OwnLogEntry } from '@countersign/sdk/contract'
import { logTab } from '#messages/dashboard/log.ts'
import { formatNumber, formatTime } from '#messages/site.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { canDispute, proofAddressOf } from './own-log.ts'

const words = logTab.details

interface LogEntryDetailsProps {
  entry: OwnLogEntry
  onClose: () => void
  onDispute: () => void
}

/** An entry with its texts, and how to check it. */
export const LogEntryDetails = ({ entry, onClose, onDispute }: LogEntryDetailsProps) => {
  const { state, index, leaf_hash, type, at, subject, says, names } = entry
  const proof = proofAddressOf(entry)
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={says}>
      <FactRows>
        <FactRow name={words.state}>{logTab.states[state]}</FactRow>
        <FactRow name={logTab.columns.time}>{formatTime(at)}</FactRow>
        <FactRow name={words.type}>
          <InlineCode>{type}</InlineCode>
        </FactRow>
        <FactRow name={words.subject}>
          <InlineCode>{subject}</InlineCode>
        </FactRow>
        {names.map(({ field, value }) => (
          <FactRow key={field} name={words.names[field] ?? field}>
            {value}
          </FactRow>
        ))}
        {index !== null && <FactRow name={words.index}>{formatNumber(index)}</FactRow>}
        <FactRow name={words.leaf}>
          <InlineCode>{leaf_hash}</InlineCode>
        </FactRow>
        {entry.report_id !== null && (
          <FactRow name={words.report}>
            <InlineCode>{entry.report_id}</InlineCode>
          </FactRow>
        )}
      </FactRows>
      {proof !== undefined && (
        <section className="mt-6 grid gap-2 text-small">
          <p>{words.check}</p>
          <CodeBlock
            code={`curl -o proof ${window.location.origin}${proof}\ncountersign log verify proof`}
            what={words.command}
          />
          <p>
            <a href={proof} target="_blank" rel="noreferrer" className="link">
              {logTab.proof}
            </a>
          </p>
        </section>
      )}
      {canDispute(entry) && (
        <div className="mt-6">
          <Allowed action="log.dispute" isExplained>
            <Button onClick={onDispute}>{logTab.dispute.open}</Button>
          </Allowed>
        </div>
      )}
    </Dialog>
  )
}
