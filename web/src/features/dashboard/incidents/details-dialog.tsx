import type { Incident } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { report } from '#messages/pages/report.ts'
import { formatTime } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { FactRow, FactRows } from '../../../ui/layout/facts.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { QuotedText } from '../../../ui/values/quoted-text.tsx'
import { WebAddress } from '../../../ui/values/web-address.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { IncidentHistory } from './incident-history.tsx'
import { IncidentStatusChip } from './incident-status.tsx'
import { isOpen } from './open-incident.ts'
import { useOwnIncident } from './own-incidents.ts'
import { SeverityChip } from './severity-chip.tsx'

const words = incidentsTab.details

interface DetailsDialogProps {
  id: string
  /** From the list, until the full incident has loaded. */
  known: Incident | undefined
  /** Undefined if the role does not allow it. */
  respond?: () => void
  onClose: () => void
}

/** The full report and its history. */
export const DetailsDialog = ({ id, known, respond, onClose }: DetailsDialogProps) => {
  const { incident, failure, again } = useOwnIncident(id, known)
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      {incident === undefined && failure === undefined && (
        <div role="status" className="text-small">
          {words.loading}
          <SkeletonRows count={4} />
        </div>
      )}
      {incident === undefined && failure !== undefined && (
        <Failed heading={words.failed} failure={failure} again={again} />
      )}
      {incident && (
        <div className="grid gap-6">
          <Facts incident={incident} />
          <IncidentHistory id={id} />
          {isOpen(incident) && respond === undefined && <Allowed action="incidents.respond" isExplained />}
          {isOpen(incident) && respond && (
            <div className="flex justify-end">
              <Button look="primary" aria-haspopup="dialog" onClick={respond}>
                {incidentsTab.respond}
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}

const Facts = ({ incident }: { incident: Incident }) => {
  const { reference_url, screenshot_url, reporter_fingerprint, provider_response, resolved_at } = incident
  return (
    <FactRows>
      <FactRow name={words.report}>
        <bdi className="font-semibold">{quote(incident.title)}</bdi>
      </FactRow>
      <FactRow name={words.description}>
        <QuotedText label={<p className="text-muted text-small">{words.byReporter}</p>} text={incident.description} />
      </FactRow>
      <FactRow name={words.status}>
        <IncidentStatusChip status={incident.status} />
      </FactRow>
      <FactRow name={words.severity}>
        <SeverityChip severity={incident.severity} />
      </FactRow>
      <FactRow name={words.category}>{report.categories[incident.category]}</FactRow>
      <FactRow name={words.model}>
        <Link to={`/models/${incident.model_id}`} className="link">
          <bdi>{quote(incident.model_name)}</bdi>
        </Link>
      </FactRow>
      <FactRow name={words.kind}>{incident.is_verified_report ? words.withLink : words.withoutLink}</FactRow>
      <FactRow name={words.public}>{incident.counts_publicly ? words.counts : words.countsNot}</FactRow>
      <FactRow name={words.reporter}>
        <bdi>{incident.reporter_email ?? incidentsTab.anonymous}</bdi>
        {incident.reporter_email !== null && <p className="text-muted text-small">{words.addressHint}</p>}
      </FactRow>
      {reporter_fingerprint !== null && (
        <FactRow name={words.fingerprint}>
          <code className="font-mono text-small">{reporter_fingerprint}</code>
          <p className="text-muted text-small">{words.fingerprintHint}</p>
        </FactRow>
      )}
      {reference_url !== null && (
        <FactRow name={words.reference}>
          <WebAddress url={reference_url} />
        </FactRow>
      )}
      {screenshot_url !== null && (
        <FactRow name={words.screenshot}>
          <WebAddress url={screenshot_url} />
        </FactRow>
      )}
      <FactRow name={words.reported}>{formatTime(incident.created_at)}</FactRow>
      {resolved_at !== null && <FactRow name={words.resolved}>{formatTime(resolved_at)}</FactRow>}
      <FactRow name={words.response}>
        {provider_response === null ? (
          words.noResponse
        ) : (
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{provider_response}</p>
        )}
      </FactRow>
      <FactRow name={words.id}>
        <span className="flex flex-wrap items-center">
          <code className="font-mono text-small">{incident.id}</code>
          <CopyButton text={incident.id} what={words.id} />
        </span>
      </FactRow>
    </FactRows>
  )
}
