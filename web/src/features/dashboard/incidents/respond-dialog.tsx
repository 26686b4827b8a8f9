import { type Incident, IncidentResponse, limits, tagOfIncident } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useEffect, useRef, useState } from 'react'
import { statusNames } from '#messages/dashboard/incidents.ts'
import { respondIncident as words } from '#messages/dashboard/respond-incident.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { ChangedElsewhere } from '../../../forms/changed-elsewhere.tsx'
import { forgetDraft, keepDraft, readDraft } from '../../../forms/draft.ts'
import { SelectField, TextAreaField } from '../../../forms/field.tsx'
import { racedFields } from '../../../forms/raced.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { UnsavedDialog } from '../../../forms/unsaved-dialog.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { isOpen } from './open-incident.ts'
import { useOwnIncident } from './own-incidents.ts'

const statuses = ['investigating', 'resolved', 'dismissed'] as const
const draftOf = (id: string) => `respond ${id}`

interface RespondDialogProps {
  id: string
  known: Incident | undefined
  respond: (response: IncidentResponse, ifMatch: string) => Promise<void>
  /** Called if another browser tab has replied. */
  reload: () => Promise<void>
  onClose: () => void
}

/** The provider's reply to a report. Resolved and dismissed reports are closed. */
export const RespondDialog = ({ id, known, onClose, ...rest }: RespondDialogProps) => {
  const { incident, failure, again } = useOwnIncident(id, known)
  return (
    <Dialog isOpen onClose={onClose} title={words.title} {...(incident && { description: quote(incident.title) })}>
      {incident === undefined &&
        (failure === undefined ? (
          <p role="status">{words.loading}</p>
        ) : (
          <Failed heading={words.failedToLoad} failure={failure} again={again} />
        ))}
      {incident && !isOpen(incident) && <Closed incident={incident} onClose={onClose} />}
      {incident && isOpen(incident) && <RespondForm incident={incident} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

const answerOf = ({ status, provider_response }: Incident) => ({
  status: statusNames[status],
  response: provider_response ?? '',
})

const RespondForm = ({
  incident,
  respond,
  reload,
  onClose,
}: Omit<RespondDialogProps, 'id' | 'known'> & { incident: Incident }) => {
  const [draft] = useState(() => readDraft<IncidentResponse>(draftOf(incident.id)))
  const [failure, setFailure] = useState<unknown>()
  /** The record that the reply is meant for; `incident` follows what others save. */
  const latest = useRef(incident)
  const form = useRef<HTMLFormElement>(null)
  const [isRaced, setIsRaced] = useState(false)
  const { submit, field, watch, showRefused, isSending } = useContractForm(IncidentResponse, {
    // A new report starts with “Investigating”.
    defaults: { status: 'investigating', response: '', ...draft },
    send: async ({ status, response }) => {
      setFailure(undefined)
      setIsRaced(false)
      try {
        await respond({ status, ...(response?.trim() && { response }) }, tagOfIncident(latest.current))
      } catch (refused) {
        if (isRefusal(refused, 'changed_elsewhere')) {
          await reload()
          return setIsRaced(true)
        }
        if (isRefusal(refused, 'incident_closed')) {
          toast.error(words.failed, { description: explainFailure(refused) })
          return reload()
        }
        showRefused(refused)
        return setFailure(refused)
      }
      forgetDraft(draftOf(incident.id))
      toast.success(words.done)
      onClose()
    },
  })
  const [status, response] = watch(['status', 'response'])
  useEffect(() => {
    if (response) keepDraft(draftOf(incident.id), { status, response })
    else forgetDraft(draftOf(incident.id))
  }, [status, response, incident.id])

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <SelectField label={words.status} hint={words.hints[status]} {...field('status')}>
        {statuses.map((each) => (
          <option key={each} value={each}>
            {words.statuses[each]}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label={words.response}
        hint={words.responseHint}
        isOptional={status !== 'resolved'}
        aria-required={status === 'resolved'}
        rows={6}
        maxLength={limits.incidentText}
        {...field('response')}
      />
      {isRaced && (
        <ChangedElsewhere
          fields={racedFields(answerOf(latest.current), answerOf(incident), {
            status: words.statuses[status],
            response: response || answerOf(latest.current).response,
          })}
          labelOf={(name) => (name === 'status' ? words.status : words.response)}
          onApply={() => {
            latest.current = incident
            form.current?.requestSubmit()
          }}
          onTake={() => {
            forgetDraft(draftOf(incident.id))
            onClose()
          }}
        />
      )}
      {failure !== undefined && (
        <div role="alert" className="border-bad border-s-4 py-1 ps-4">
          <p className="font-semibold">{words.failed}</p>
          <p className="mt-1 text-muted text-small">{explainFailure(failure)}</p>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{site.dialog.cancel}</Button>
        {!isRaced && (
          <SubmitButton isSending={isSending} sending={words.submitting}>
            {words.submit}
          </SubmitButton>
        )}
      </div>
      <UnsavedDialog isUnsaved={Boolean(response) && !isSending} onLeave={() => forgetDraft(draftOf(incident.id))} />
    </form>
  )
}

/** Shows a message that can no longer be sent, so that it is not lost. */
const Closed = ({ incident, onClose }: { incident: Incident; onClose: () => void }) => {
  const [unsent] = useState(() => readDraft<IncidentResponse>(draftOf(incident.id))?.response)
  const close = () => {
    forgetDraft(draftOf(incident.id))
    onClose()
  }
  return (
    <div className="grid gap-4">
      <p role="status">{words.closed(statusNames[incident.status].toLowerCase())}</p>
      {unsent && (
        <div>
          <p className="mb-1 flex items-center justify-between gap-3 text-small">
            {words.closedElsewhere}
            <CopyButton text={unsent} what={words.copy} />
          </p>
          <blockquote className="whitespace-pre-wrap border-line border-s-2 ps-3 text-small">{unsent}</blockquote>
        </div>
      )}
      <div className="flex justify-end">
        <Button look="primary" onClick={close}>
          {site.dialog.close}
        </Button>
      </div>
    </div>
  )
}
