import { type Incident, limits } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useState } from 'react'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { TextAreaField } from '../../../forms/field.tsx'
import { UnsavedDialog } from '../../../forms/unsaved-dialog.tsx'
import { useDraft } from '../../../forms/use-draft.ts'
import { NamedList } from '../../../lists/named-list.tsx'

const words = incidentsTab.bulk
const empty = { response: '' }

interface DismissDialogProps {
  chosen: readonly Incident[]
  /** Whether all of them were dismissed. */
  dismiss: (response: string) => Promise<boolean>
  onClose: () => void
}

/** Dismisses many reports with one reply, after listing them. */
export const DismissDialog = ({ chosen, dismiss, onClose }: DismissDialogProps) => {
  const { values, change, forget } = useDraft('dismiss incidents', empty)
  // Each one leaves the list as soon as it is dismissed.
  const [those] = useState(chosen)
  const act = async () => {
    if (await dismiss(values.response.trim())) forget()
  }
  return (
    <ConfirmDialog
      title={words.title(those.length)}
      description={words.text}
      action={words.dismiss}
      doing={words.doing}
      {...(those.length > 1 && { typed: String(those.length) })}
      act={act}
      onClose={onClose}
    >
      <NamedList
        label={words.these}
        items={those.map(({ id, title }) => ({ id, content: <bdi>{quote(title)}</bdi> }))}
      />
      <TextAreaField
        label={words.answer}
        hint={words.answerHint}
        isOptional
        rows={3}
        maxLength={limits.incidentText}
        value={values.response}
        onChange={({ target }) => change({ response: target.value })}
      />
      <UnsavedDialog isUnsaved={values.response !== ''} onLeave={forget} />
    </ConfirmDialog>
  )
}
