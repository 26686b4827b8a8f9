import type { Deployment, DeploymentStatus } from '@countersign/sdk/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { BulkBar } from '../../../lists/bulk-bar.tsx'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { useBulk } from '../../../lists/use-bulk.ts'
import { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { BulkDialog, DeleteDialog, RevokeDialog } from './deployment-dialogs.tsx'
import { type Act, DeploymentRow, type Model } from './deployment-row.tsx'
import { nameOf } from './matching.ts'
import type { OwnDeployments } from './own-deployments.ts'

const words = deploymentsTab

type Asking =
  | { kind: 'delete'; deployment: Deployment }
  | { kind: 'revoke'; deployment: Deployment; model: Model }
  | { kind: 'disable all' | 'delete all'; chosen: readonly Deployment[] }

interface DeploymentListProps {
  own: OwnDeployments
  shown: readonly Deployment[]
  addModel: (id: string) => void
}

/** The deployments, with actions on one or many. */
export const DeploymentList = ({ own, shown, addModel }: DeploymentListProps) => {
  const selection = useSelection(useMemo(() => shown.map(({ deployment_id }) => deployment_id), [shown]))
  const bulk = useBulk<Deployment>()
  const [asking, setAsking] = useState<Asking | null>(null)
  const chosen = shown.filter(({ deployment_id }) => selection.has(deployment_id))

  const setStatus = async ({ deployment_id }: Deployment, next: DeploymentStatus) => {
    try {
      await own.setStatus(deployment_id, next)
      toast.success(words.statusChanged[next])
    } catch (failure) {
      toast.error(words.statusFailed, { description: explainFailure(failure, failures.deployment) })
      await own.again()
    }
  }

  /** Shows failures with their reasons at the list, and reloads it. */
  const changeAll = async (
    those: readonly Deployment[],
    act: (deployment: Deployment) => Promise<unknown>,
    describe: (count: number) => string,
  ) => {
    const { done, failed } = await bulk.run(those, act)
    selection.clear()
    if (done.length > 0) toast.success(describe(done.length))
    if (failed.length > 0) await own.again()
  }
  const setAll = (those: readonly Deployment[], status: DeploymentStatus) =>
    changeAll(those, ({ deployment_id }) => own.setStatus(deployment_id, status), words.bulk.done[status])
  const removeAll = (those: readonly Deployment[]) =>
    changeAll(those, ({ deployment_id }) => own.remove(deployment_id), words.bulk.done.deleted)

  /** Runs a confirmed action. If it fails, the dialog shows why, and the list is reloaded. */
  const carryOut = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act()
    } catch (failure) {
      await own.again()
      throw failure
    }
    toast.success(done)
  }

  const latest = useRef<(act: Act) => void>(() => undefined)
  latest.current = (act) => {
    const { kind, deployment } = act
    if (kind === 'choose') selection.toggle(deployment.deployment_id)
    else if (kind === 'switch') void setStatus(deployment, deployment.status === 'enabled' ? 'disabled' : 'enabled')
    else if (kind === 'add') addModel(deployment.deployment_id)
    else if (kind === 'revoke') setAsking({ kind, deployment, model: act.model })
    else setAsking({ kind, deployment })
  }
  const act = useCallback((wanted: Act) => latest.current(wanted), [])
  const close = () => setAsking(null)

  return (
    <>
      {bulk.failed.length > 0 && (
        <BulkFailures
          heading={words.bulk.failed(bulk.failed.length)}
          reasons={bulk.failed.map(({ item, failure }) => ({
            id: item.deployment_id,
            text: words.withReason(nameOf(item), explainFailure(failure, failures.deployment)),
          }))}
          onClose={bulk.forgetFailed}
        />
      )}
      {shown.length > 0 && (
        <BulkBar selection={selection} progress={bulk.progress} words={words.bulk}>
          <Button onClick={() => void setAll(chosen, 'enabled')}>{words.row.enable}</Button>
          <Button aria-haspopup="dialog" onClick={() => setAsking({ kind: 'disable all', chosen })}>
            {words.row.disable}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setAsking({ kind: 'delete all', chosen })}>
            {words.row.delete}
          </Button>
        </BulkBar>
      )}
      <ul className="border-line border-t empty:hidden">
        {shown.map((deployment) => (
          <DeploymentRow
            key={deployment.deployment_id}
            deployment={deployment}
            isChosen={selection.has(deployment.deployment_id)}
            act={act}
          />
        ))}
      </ul>
      {asking?.kind === 'delete' && (
        <DeleteDialog
          deployment={asking.deployment}
          act={() => carryOut(() => own.remove(asking.deployment.deployment_id), words.delete.done)}
          onClose={close}
        />
      )}
      {asking?.kind === 'revoke' && (
        <RevokeDialog
          deployment={asking.deployment}
          model={asking.model}
          act={() => carryOut(() => own.revoke(asking.deployment.deployment_id, asking.model.id), words.revoke.done)}
          onClose={close}
        />
      )}
      {asking?.kind === 'disable all' && (
        <BulkDialog
          kind="disable"
          chosen={asking.chosen}
          act={() => setAll(asking.chosen, 'disabled')}
          onClose={close}
        />
      )}
      {asking?.kind === 'delete all' && (
        <BulkDialog kind="delete" chosen={asking.chosen} act={() => removeAll(asking.chosen)} onClose={close} />
      )}
    </>
  )
}
