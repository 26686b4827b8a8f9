import type { TrailEvent } from '@countersign/sdk/contract'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { formatTime } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { useIncidentHistory } from './own-incidents.ts'

const words = incidentsTab.details

/** The replies and status changes, oldest first. */
export const IncidentHistory = ({ id }: { id: string }) => {
  const { events, failure, again } = useIncidentHistory(id)
  return (
    <Section heading={words.history} className="mt-0">
      {events === undefined && failure === undefined && (
        <p role="status" className="text-muted text-small">
          {words.historyLoading}
        </p>
      )}
      {events === undefined && failure !== undefined && (
        <Failed heading={words.historyFailed} failure={failure} again={again} />
      )}
      {events && (
        <ol className="grid gap-3">
          {events.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Section>
  )
}

const Entry = ({ event }: { event: TrailEvent }) => {
  const text = responseOf(event)
  return (
    <li className="border-line border-s-2 ps-3 text-small">
      <p>
        <span className="font-semibold">{words.actions[event.action] ?? event.action}</span>{' '}
        <span className="text-muted">{formatTime(event.at)}</span>
      </p>
      {text !== undefined && <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
      {text === undefined && event.action !== 'incident.reported' && <p className="text-muted">{words.noText}</p>}
    </li>
  )
}

const responseOf = ({ after }: TrailEvent): string | undefined =>
  typeof after === 'object' && after !== null && 'response' in after && typeof after.response === 'string'
    ? after.response
    : undefined
