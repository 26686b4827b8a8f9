import type { Incident } from '@countersign/sdk/contract'
import { useContext } from 'react'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { report } from '#messages/pages/report.ts'
import { formatTime } from '#messages/site.ts'
import { Cell } from '../../../lists/list-table.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { ChosenIncidents } from './chosen-incidents.ts'
import { IncidentStatusChip } from './incident-status.tsx'
import { isOpen } from './open-incident.ts'
import { SeverityChip } from './severity-chip.tsx'

const words = incidentsTab

interface IncidentRowProps {
  incident: Incident
  show: (id: string) => void
  respond: (id: string) => void
}

export const incidentGrid = 'grid-cols-[auto_1fr_auto] lg:grid-cols-[1fr_4.5rem_7.5rem_8.5rem_6rem]'

export const IncidentRow = ({ incident, show, respond }: IncidentRowProps) => {
  const { id, title, model_name, category, severity, status, is_verified_report, reporter_email, created_at } = incident
  return (
    <>
      <Cell className="col-span-3 flex gap-3 lg:col-span-1">
        <Choice incident={incident} />
        <div className="min-w-0">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => show(id)}
            className="link cursor-pointer text-start font-semibold [overflow-wrap:anywhere]"
          >
            <bdi>{title}</bdi>
          </button>
          <p className="text-muted">{words.about1(model_name, report.categories[category], formatTime(created_at))}</p>
        </div>
      </Cell>
      <Cell className="ps-9 lg:ps-0">
        <SeverityChip severity={severity} />
      </Cell>
      <Cell>
        <IncidentStatusChip status={status} />
      </Cell>
      <Cell className="col-span-2 ps-9 lg:col-span-1 lg:ps-0">
        <p>{is_verified_report ? words.verified : words.notVerified}</p>
        <p className="text-muted">
          <bdi>{reporter_email ?? words.anonymous}</bdi>
        </p>
      </Cell>
      <Cell className="col-start-3 row-start-3 lg:col-start-auto lg:row-start-auto">
        {isOpen(incident) && (
          <Button aria-haspopup="dialog" aria-label={words.respondTo(title)} onClick={() => respond(id)}>
            {words.respond}
          </Button>
        )}
      </Cell>
    </>
  )
}

const Choice = ({ incident }: { incident: Incident }) => {
  const { has, toggle } = useContext(ChosenIncidents)
  return (
    <input
      type="checkbox"
      checked={has(incident.id)}
      disabled={!isOpen(incident)}
      onChange={() => toggle(incident.id)}
      aria-label={words.choose(incident.title)}
      className="m-1 mt-0.5 size-4 shrink-0 accent-ink disabled:invisible"
    />
  )
}
