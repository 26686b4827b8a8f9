import type { Deployment } from '@countersign/sdk/contract'
import { useState } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { NamedList } from '../../../lists/named-list.tsx'
import type { AuthorizedModel } from './deployment-details.tsx'
import { labelsOf, nameOf } from './matching.ts'

const withReason = (what: string) => (failure: unknown) =>
  deploymentsTab.withReason(what, explainFailure(failure, failures.deployment))

interface AskProps {
  act: () => Promise<unknown>
  onClose: () => void
}

export const DeleteDialog = ({ deployment, ...ask }: AskProps & { deployment: Deployment }) => {
  const { title, text, action, doing, failed } = deploymentsTab.delete
  return (
    <ConfirmDialog
      title={title(nameOf(deployment))}
      description={text}
      {...{ action, doing }}
      explain={withReason(failed)}
      {...ask}
    />
  )
}

export const RevokeDialog = ({
  deployment,
  model,
  ...ask
}: AskProps & { deployment: Deployment; model: AuthorizedModel }) => {
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

/** Confirms a bulk action and lists what it affects: the number must be typed if it is irreversible, or ends links of several. */
export const BulkDialog = ({
  kind,
  chosen,
  ...ask
}: AskProps & { kind: 'disable' | 'delete'; chosen: readonly Deployment[] }) => {
  const { title, text, action, doing } = deploymentsTab.bulk[kind]
  // Each one leaves the list as soon as it is deleted.
  const [those] = useState(chosen)
  const items = those.map((deployment) => ({
    id: deployment.deployment_id,
    content: (
      <>
        <code className="font-mono">{nameOf(deployment)}</code>{' '}
        <bdi className="text-muted">{labelsOf(deployment).join(', ')}</bdi>
      </>
    ),
  }))
  return (
    <ConfirmDialog
      title={title(those.length)}
      description={text}
      {...{ action, doing }}
      {...((kind === 'delete' || those.length > 1) && { typed: String(those.length) })}
      {...ask}
    >
      <NamedList label={deploymentsTab.bulk.these} items={items} />
    </ConfirmDialog>
  )
}
