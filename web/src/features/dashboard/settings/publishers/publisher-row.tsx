import type { Publisher } from '@countersign/sdk/contract'
import { publishersSection as words } from '#messages/dashboard/publishers.ts'
import { formatDay, formatTime } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CodeBlock } from '../../../../ui/values/code-block.tsx'
import { snippetOf } from './publisher-rules.ts'

/** What is trusted, in one line. */
export const lineOf = ({ workflow, repository, subject }: Publisher): string =>
  subject === null ? words.line.workflow(workflow ?? '', repository ?? '') : words.line.subject(subject)

interface PublisherRowProps {
  publisher: Publisher
  scene: Parameters<typeof snippetOf>[1]
  /** Undefined if the role does not allow it. */
  onRemove: (() => void) | undefined
}

/** A publisher: what is trusted, its last use, its last rejection, and the steps its jobs need. */
export const PublisherRow = ({ publisher, scene, onRemove }: PublisherRowProps) => {
  const { kind, issuer, environment, repository_id, created_at, last_used_at, last_refusal } = publisher
  const line = lineOf(publisher)
  return (
    <li className="grid grid-cols-1 gap-3 border-line border-t py-4 text-small">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1.5">
          <p className="break-words font-semibold">{line}</p>
          <p className="break-words">
            {words.kinds[kind]}, {words.issuedBy(issuer)}
          </p>
          {kind !== 'other' && (
            <p className="flex flex-wrap gap-x-4 text-muted">
              <span>{environment === null ? words.anyEnvironment : words.environment(environment)}</span>
              <span>{repository_id === null ? words.notFixed : words.fixed(repository_id)}</span>
            </p>
          )}
          <p className="flex flex-wrap gap-x-4 text-muted">
            <span>{words.added(formatDay(created_at))}</span>
            <span>{last_used_at === null ? words.neverUsed : words.used(formatTime(last_used_at))}</span>
          </p>
          {!publisher.is_issuer_accepted && <p className="text-warn">{words.notAccepted}</p>}
          {last_refusal && (
            <p className="break-words">{words.refused(last_refusal.claim, formatTime(last_refusal.at))}</p>
          )}
        </div>
        {onRemove && (
          <Button look="dangerPlain" aria-haspopup="dialog" aria-label={words.remove.of(line)} onClick={onRemove}>
            {words.remove.button}
          </Button>
        )}
      </div>
      <details>
        <summary className="cursor-pointer py-1.5 text-link" aria-label={words.snippet.of(line)}>
          {words.snippet.show}
        </summary>
        <p className="my-2">{words.snippet.text}</p>
        <CodeBlock code={snippetOf(publisher, scene)} what={words.snippet.what} />
      </details>
    </li>
  )
}
