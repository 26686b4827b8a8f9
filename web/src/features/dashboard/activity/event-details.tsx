import type { TrailEvent } from '@countersign/sdk/contract'
import { activityTab } from '#messages/dashboard/activity.ts'
import { formatTime } from '#messages/site.ts'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { changesOf, describeEvent } from './sentence.ts'

const words = activityTab

/** A log entry with the values before and after. */
export const EventDetails = ({ event, onClose }: { event: TrailEvent; onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={words.details.title} description={describeEvent(event)}>
    <FactRows>
      <FactRow name={words.columns.time}>{formatTime(event.at)}</FactRow>
      <FactRow name={words.details.subject}>
        <InlineCode>{event.subject_id}</InlineCode>
      </FactRow>
      <FactRow name={words.details.actor}>
        <InlineCode>{event.actor}</InlineCode>
      </FactRow>
      <FactRow name={words.details.id}>
        <InlineCode>{event.id}</InlineCode>
      </FactRow>
    </FactRows>
    <Changes event={event} />
  </Dialog>
)

const Changes = ({ event }: { event: TrailEvent }) => {
  const changes = changesOf(event)
  if (changes.length === 0) return null
  return (
    <section className="mt-6">
      <h3 className="mb-2 font-semibold">{words.changes}</h3>
      <dl className="grid gap-y-2 text-small">
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
    </section>
  )
}
