import type { ApiKey } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { useId, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { TextField } from '../../../../forms/field.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { keyStateOf } from './key-rules.ts'
import type { useOwnKeys } from './own-keys.ts'

const words = settingsTab.keys.revoke

interface RevokeKeyDialogProps {
  apiKey: ApiKey
  /** Whether the role may report a leak. */
  mayReport: boolean
  own: Pick<ReturnType<typeof useOwnKeys>, 'revoke' | 'compromise' | 'again'>
  onClose: () => void
}

/** Confirms revoking a key, and asks those who may report it whether it leaked. */
export const RevokeKeyDialog = ({ apiKey, mayReport, own, onClose }: RevokeKeyDialogProps) => {
  const { id, name, key_prefix } = apiKey
  const isEnded = keyStateOf(apiKey) !== 'active'
  const [isLeaked, setIsLeaked] = useState(isEnded)
  const [day, setDay] = useState('')
  const textId = useId()
  const act = async () => {
    try {
      if (!isLeaked) {
        await own.revoke(id)
        toast.success(words.done)
        return
      }
      const count = await own.compromise(id, day === '' ? undefined : `${day}T00:00:00.000Z`)
      toast.success(words.done, { description: words.leakedDone(count) })
    } catch (failure) {
      await own.again()
      throw failure
    }
  }
  return (
    <ConfirmDialog
      title={isEnded ? words.reportOf(quote(name)) : words.title(quote(name))}
      description={words.text(settingsTab.keys.masked(key_prefix))}
      action={isEnded ? words.report : words.action}
      doing={words.doing}
      act={act}
      explain={(failure) => `${words.failed}: ${explainFailure(failure)}`}
      onClose={onClose}
    >
      {mayReport && (
        <div className="grid gap-1.5">
          <label className="flex min-h-6 items-center gap-2.5">
            <input
              type="checkbox"
              checked={isLeaked}
              disabled={isEnded}
              aria-describedby={textId}
              onChange={({ target }) => setIsLeaked(target.checked)}
              className="size-4 accent-ink"
            />
            {words.leaked}
          </label>
          <p id={textId} className="text-muted text-small">
            {words.leakedText}
          </p>
        </div>
      )}
      {isLeaked && (
        <TextField
          label={words.since}
          hint={words.sinceHint}
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
      )}
    </ConfirmDialog>
  )
}
