import type { Deployment, Model } from '@countersign/sdk/contract'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { failures } from '#messages/failures.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { SelectField, TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { nameOf } from './matching.ts'
import { useAuthorizableModels } from './own-deployments.ts'

const words = deploymentsTab.addModel
/** Longer lists get a search field. */
const fewModels = 15

interface AddModelDialogProps {
  deployment: Deployment
  authorize: (model: Model) => Promise<void>
  /** Called if another browser tab has changed something. */
  reload: () => Promise<void>
  onClose: () => void
}

/** Lists the models that a deployment is not yet authorized for. */
export const AddModelDialog = ({ deployment, authorize, reload, onClose }: AddModelDialogProps) => {
  const { models, failure, again } = useAuthorizableModels(deployment.provider_id)
  const isAuthorized = (model: Model) => deployment.authorized_models.some(({ id }) => id === model.id)
  const offered = models?.filter((model) => !isAuthorized(model))
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.about(nameOf(deployment))}>
      {offered === undefined && failure === undefined && (
        <div role="status" className="grid gap-2 text-small">
          {words.loading}
          <Skeleton className="h-10" />
        </div>
      )}
      {offered === undefined && failure !== undefined && (
        <Failed heading={words.failedToLoad} failure={failure} again={again} />
      )}
      {offered?.length === 0 && (
        <div className="grid justify-items-start gap-4">
          <p>{models?.length === 0 ? words.none : words.allAdded}</p>
          <Button asChild look="primary">
            <Link to="/dashboard/models/register">{words.registerModel}</Link>
          </Button>
        </div>
      )}
      {offered !== undefined && offered.length > 0 && <AddModelForm {...{ offered, authorize, reload, onClose }} />}
    </Dialog>
  )
}

const AddModelForm = ({
  offered,
  authorize,
  reload,
  onClose,
}: Omit<AddModelDialogProps, 'deployment'> & { offered: Model[] }) => {
  const [wanted, setWanted] = useState('')
  const [picked, setPicked] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState('')
  const shown = offered.filter((model) => titleOf(model).toLowerCase().includes(wanted.trim().toLowerCase()))
  const chosen = shown.find(({ id }) => id === picked) ?? (shown.length === 1 ? shown[0] : undefined)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (chosen === undefined || isSending) return
    setIsSending(true)
    setProblem('')
    try {
      await authorize(chosen)
      toast.success(words.done)
      onClose()
    } catch (failure) {
      const isAlready = isRefusal(failure, 'already_authorized')
      setProblem(
        isAlready
          ? words.already
          : deploymentsTab.withReason(words.failed, explainFailure(failure, failures.deployment)),
      )
      await reload()
    } finally {
      setIsSending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {offered.length > fewModels && (
        <TextField
          label={words.find}
          type="search"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          autoComplete="off"
        />
      )}
      <SelectField
        label={words.model}
        value={chosen?.id ?? ''}
        onChange={({ target }) => setPicked(target.value)}
        problem={problem}
      >
        <option value="">{shown.length === 0 ? words.noMatch : words.choose}</option>
        {shown.map((model) => (
          <option key={model.id} value={model.id}>
            {titleOf(model)}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{site.dialog.cancel}</Button>
        <SubmitButton isSending={isSending} sending={words.submitting} isIdle={chosen === undefined}>
          {words.submit}
        </SubmitButton>
      </div>
    </form>
  )
}

/** Name and version, identifier, and whether it was superseded. */
const titleOf = ({ display_name, version, api_model_identifier, superseded_at }: Model) =>
  [deploymentsTab.row.model(display_name, version), api_model_identifier, superseded_at !== null && words.superseded]
    .filter(Boolean)
    .join(' · ')
