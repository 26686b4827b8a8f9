import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure } from '../../../data/failure.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Model } from './deployment-row.tsx'
import { nameOf } from './matching.ts'

const withReason = (what: string) => (failure: unknown) => deploymentsTab.withReason(what, explainFailure(failure, failures.deployment))

interface AskProps {
  act: () => Promise<unknown>
  onClose: () => void
}

export const DeleteDialog = ({ deployment, ...ask }: AskProps & { deployment: Deployment }) => {
  const { title, text, action, doing, failed } = deploymentsTab.delete
  return <ConfirmDialog title={title(nameOf(deployment))} description={text} {...{ action, doing }} explain={withReason(failed)} {...ask} />
}

export const RevokeDialog = ({ deployment, model, ...ask }: AskProps & { deployment: Deployment; model: Model }) => {
  const { title, text, action, doing, failed } = deploymentsTab.revoke
  return (
    <ConfirmDialog
      title={title(deploymentsTab.row.model(model.display_name, model.version))}
      description={text(nameOf(deployment))}
      {...{ action, doing }}
      explain={withReason(failed)}
      {...ask}
    />
  )
}

const mostNamed = 10

/** Asks before the same is done to many, and names them. */
export const BulkDialog = ({ kind, chosen, ...ask }: AskProps & { kind: 'disable' | 'delete'; chosen: readonly Deployment[] }) => {
  const { title, text, action, doing } = deploymentsTab.bulk[kind]
  return (
    <ConfirmDialog title={title(chosen.length)} description={text} {...{ action, doing }} {...ask}>
      <ul className="list-disc ps-5 text-small">
        {chosen.slice(0, mostNamed).map((deployment) => (
          <li key={deployment.deployment_id}>
            <code className="font-mono">{nameOf(deployment)}</code> {labelsOf(deployment)}
          </li>
        ))}
        {chosen.length > mostNamed && <li>{deploymentsTab.bulk.more(chosen.length - mostNamed)}</li>}
      </ul>
    </ConfirmDialog>
  )
}

const labelsOf = ({ labels }: Deployment) => (
  <bdi className="text-muted">
    {Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ')}
  </bdi>
)
