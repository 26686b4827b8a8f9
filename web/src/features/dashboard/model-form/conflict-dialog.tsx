import type { ExistingModel } from '@countersign/sdk/contract'
import { type FormEvent, useId, useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { TextField } from '../../../forms/field.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'

const words = modelForm.conflict

interface ConflictDialogProps {
  existing: ExistingModel
  /** The version as typed, if any. */
  version: string | undefined
  onNewVersion: (version: string) => void
  onQuickEdit: () => void
  onClose: () => void
  /** The error message, if any. */
  text?: string
}

/** Asks what to do if the identifier of a registration exists. */
export const ConflictDialog = ({
  existing,
  version: typed,
  onNewVersion,
  onQuickEdit,
  onClose,
  text,
}: ConflictDialogProps) => {
  const [choice, setChoice] = useState<'version' | 'edit'>('version')
  const [version, setVersion] = useState(
    typed === undefined || typed.trim() === existing.version ? existing.suggested_version : typed,
  )
  const problem = version.trim() === existing.version ? modelForm.otherVersion : ''
  const go = (event: FormEvent) => {
    event.preventDefault()
    // This form is inside another form's dialog: React would bubble the event to the outer form.
    event.stopPropagation()
    if (choice === 'edit') onQuickEdit()
    else if (problem === '') onNewVersion(version)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      description={text ?? words.text(existing.api_model_identifier, existing.version)}
    >
      <form noValidate onSubmit={go} className="grid gap-5">
        <fieldset className="grid gap-4">
          <legend className="mb-3 font-semibold text-small">{words.question}</legend>
          <Choice
            label={words.newVersion}
            hint={words.newVersionHint(existing.version)}
            isChosen={choice === 'version'}
            onChoose={() => setChoice('version')}
          />
          <Choice
            label={words.quickEdit}
            hint={
              existing.can_quick_edit ? words.quickEditHint(existing.version) : words.quickEditClosed(existing.version)
            }
            isChosen={choice === 'edit'}
            isPossible={existing.can_quick_edit}
            onChoose={() => setChoice('edit')}
          />
        </fieldset>
        {choice === 'version' && (
          <TextField
            label={words.version}
            value={version}
            onChange={({ target }) => setVersion(target.value)}
            problem={problem}
            autoComplete="off"
          />
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary">
            {words.onward}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  label: string
  hint: string
  isChosen: boolean
  isPossible?: boolean
  onChoose: () => void
}

const Choice = ({ label, hint, isChosen, isPossible = true, onChoose }: ChoiceProps) => {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        type="radio"
        id={id}
        name="conflict-choice"
        checked={isChosen}
        disabled={!isPossible}
        onChange={onChoose}
        aria-describedby={`${id}-hint`}
        className="mt-1 size-4 accent-ink"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block font-semibold text-small leading-6">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-muted text-small">
          {hint}
        </p>
      </div>
    </div>
  )
}
