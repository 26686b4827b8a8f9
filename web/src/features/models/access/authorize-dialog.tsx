import { ApiError } from '@countersign/sdk'
import type { Deployment } from '@countersign/sdk/contract'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { modelParts } from '#messages/pages/model-parts.ts'
import { site } from '#messages/site.ts'
import { readSession } from '../../../data/session.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { SelectField } from '../../../forms/field.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { fingerprintOf } from './deployment-words.ts'

const words = modelParts.authorization

interface AuthorizeDialogProps {
  /** Deployments that are not yet authorized. */
  others: readonly Deployment[]
  hasAny: boolean
  authorize: (deploymentId: string) => Promise<void>
  refresh: () => Promise<unknown>
  onClose: () => void
}

export const AuthorizeDialog = ({ others, hasAny, authorize, refresh, onClose }: AuthorizeDialogProps) => {
  const [chosen, setChosen] = useState(others[0]?.deployment_id ?? '')
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (readSession().apiKey === null) {
      toast.error(words.noKey)
      return
    }
    setIsBusy(true)
    try {
      await authorize(chosen)
      toast.success(words.authorized)
    } catch (failure) {
      const isAlready = failure instanceof ApiError && failure.code === 'already_authorized'
      if (isAlready) toast.error(words.already)
      else toast.error(words.authorizeFailed, { description: explainFailure(failure) })
    }
    await refresh()
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.authorize}>
      {others.length === 0 ? (
        <div className="grid justify-items-start gap-4">
          <p>{hasAny ? words.allAuthorized : words.noneRegistered}</p>
          <Button asChild look="primary">
            <Link to="/dashboard?tab=deployments">{words.register}</Link>
          </Button>
        </div>
      ) : (
        <form onSubmit={(event) => void submit(event)} className="grid gap-4">
          <SelectField
            label={words.choose}
            hint={words.chooseHint}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            {others.map((deployment) => (
              <option key={deployment.deployment_id} value={deployment.deployment_id}>
                {[fingerprintOf(deployment), deployment.spiffe_id, deployment.status === 'disabled' && words.disabled]
                  .filter(Boolean)
                  .join(' · ')}
              </option>
            ))}
          </SelectField>
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={onClose}>{site.dialog.cancel}</Button>
            <Button type="submit" look="primary" aria-disabled={isBusy}>
              {words.submit}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
