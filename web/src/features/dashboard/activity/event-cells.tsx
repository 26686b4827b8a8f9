import type { TrailEvent } from '@countersign/sdk/contract'
import { Link } from 'react-router-dom'
import { activityTab } from '#messages/dashboard/activity.ts'
import { formatTime } from '#messages/site.ts'
import { Cell } from '../../../lists/list-table.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { changesOf, describeEvent } from './sentence.ts'

const words = activityTab

/** A log entry: when, what and by whom; on demand, the values before and after. */
export const EventCells = ({ event }: { event: TrailEvent }) => {
  const { at, subject_id } = event
  const sentence = describeEvent(event)
  const changes = changesOf(event)
  return (
    <>
      <Cell className="text-muted">{formatTime(at)}</Cell>
      <Cell>
        <p className="wrap-anywhere">{sentence}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 break-all text-muted">
          <InlineCode>{subject_id}</InlineCode>
          <Link
            to={`${addressOf('activity')}&id=${encodeURIComponent(subject_id)}`}
            className="link"
            aria-label={words.onlyThisOf(subject_id)}
          >
            {words.onlyThis}
          </Link>
        </p>
        {changes.length > 0 && (
          <details className="mt-2">
            <summary className="w-fit cursor-pointer py-1" aria-label={words.changesOf(sentence)}>
              {words.changes}
            </summary>
            <dl className="mt-2 grid gap-y-2">
              {changes.map(({ field, before, after }) => (
                <div key={field} className="grid gap-x-4 border-line border-s-2 ps-3 sm:grid-cols-[12rem_1fr]">
                  <dt className="break-all font-mono">{field}</dt>
                  <dd className="min-w-0 wrap-anywhere">
                    {event.before !== null && <span className="block text-muted">{words.before(before)}</span>}
                    {event.after !== null && <span className="block">{words.after(after)}</span>}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </Cell>
    </>
  )
}
