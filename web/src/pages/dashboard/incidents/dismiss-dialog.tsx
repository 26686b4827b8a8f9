import { type Incident, limits } from '@countersign/sdk/contract'
import { useState } from 'react'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../data/draft.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextAreaField } from '../../../ui/field.tsx'

const words = incidentsTab.bulk
const draft = 'dismiss incidents'
const mostNamed = 10

interface DismissDialogProps {
  chosen: readonly Incident[]
  /** Whether all of them took it. */
  dismiss: (response: string) => Promise<boolean>
  onClose: () => void
}

/** Dismisses many reports with one answer, and names them first. */
export const DismissDialog = ({ chosen, dismiss, onClose }: DismissDialogProps) => {
  const [text, setText] = useState(() => readDraft<{ response: string }>(draft)?.response ?? '')
  const act = async () => {
    if (await dismiss(text.trim())) forgetDraft(draft)
  }
  return (
    <ConfirmDialog
      title={words.title(chosen.length)}
      description={words.text}
      action={words.dismiss}
      doing={words.doing}
      act={act}
      onClose={onClose}
    >
      <ul className="list-disc ps-5 text-small">
        {chosen.slice(0, mostNamed).map(({ id, title }) => (
          <li key={id}>
            <bdi>{title}</bdi>
          </li>
        ))}
        {chosen.length > mostNamed && <li>{words.more(chosen.length - mostNamed)}</li>}
      </ul>
      <TextAreaField
        label={words.answer}
        hint={words.answerHint}
        isOptional
        rows={3}
        maxLength={limits.incidentText}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          keepDraft(draft, { response: target.value })
        }}
      />
    </ConfirmDialog>
  )
}
