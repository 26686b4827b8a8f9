import type { Deployment, DeploymentStatus } from '@countersign/sdk/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { failures } from '#messages/failures.ts'
import { formatNumber } from '#messages/site.ts'
import { useMay } from '../../../data/role.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { SelectionBar } from '../../../lists/list-bar.tsx'
import { Pager, rowsPerPage } from '../../../lists/pager.tsx'
import type { MenuItem } from '../../../lists/row-menu.tsx'
import { RowTable } from '../../../lists/row-table.tsx'
import { readPage, type Sort } from '../../../lists/sorting.ts'
import { useBulk } from '../../../lists/use-bulk.ts'
import { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { deploymentColumns } from './deployment-columns.tsx'
import { type AuthorizedModel, DeploymentDetails } from './deployment-details.tsx'
import { BulkDialog, DeleteDialog, RevokeDialog } from './deployment-dialogs.tsx'
import { nameOf } from './matching.ts'
import type { OwnDeployments } from './own-deployments.ts'

const words = deploymentsTab

type Asking =
  | { kind: 'delete'; deployment: Deployment }
  | { kind: 'revoke'; deployment: Deployment; model: AuthorizedModel }
  | { kind: 'disable all' | 'delete all'; chosen: readonly Deployment[] }

interface DeploymentListProps {
  own: OwnDeployments
  shown: readonly Deployment[]
  sort: Sort
  sortBy: (column: string) => void
  found: string
  tools: ReactNode
  /** The one whose details are open. */
  opened: Deployment | undefined
  closeDetails: () => void
  addModel: (id: string) => void
  trustPlatform: (id: string) => void
}

const idOf = ({ deployment_id }: Deployment) => deployment_id
const opposite = (status: DeploymentStatus) => (status === 'enabled' ? 'disabled' : 'enabled')

/** The deployments, with actions on one or many. */
export const DeploymentList = (props: DeploymentListProps) => {
  const { own, shown, sort, sortBy, found, tools, opened, closeDetails, addModel, trustPlatform } = props
  const [params] = useSearchParams()
  const selection = useSelection(useMemo(() => shown.map(idOf), [shown]))
  const bulk = useBulk<Deployment>()
  const may = useMay()
  const canChoose = may('deployments.setStatus') || may('deployments.delete')
  const [asking, setAsking] = useState<Asking | null>(null)
  const chosen = shown.filter((deployment) => selection.has(idOf(deployment)))
  const page = readPage(params.get('page'), shown.length, rowsPerPage)
  const rows = shown.slice((page - 1) * rowsPerPage, page * rowsPerPage)

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

  const detailsOf = ({ deployment_id }: Deployment) => {
    const after = new URLSearchParams(params)
    after.set('deployment', deployment_id)
    return `?${after}`
  }
  const menuOf = (deployment: Deployment): MenuItem[] => [
    { label: words.row.details, to: detailsOf(deployment) },
    ...(may('models.allowDeployment')
      ? [{ label: words.row.addModel, act: () => addModel(deployment.deployment_id) }]
      : []),
    ...(may('workloads.trust')
      ? [{ label: words.row.trustPlatform, act: () => trustPlatform(deployment.deployment_id) }]
      : []),
    ...(may('deployments.setStatus')
      ? [
          {
            label: deployment.status === 'enabled' ? words.row.disable : words.row.enable,
            act: () => void setStatus(deployment, opposite(deployment.status)),
          },
        ]
      : []),
    ...(may('deployments.delete')
      ? [{ label: words.row.delete, act: () => setAsking({ kind: 'delete', deployment }), isDestructive: true }]
      : []),
  ]
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
      {own.deployments !== undefined && own.deployments.length > 0 && (
        <SelectionBar
          selection={selection}
          progress={bulk.progress}
          words={{ chosen: words.bulk.chosen, working: words.bulk.working }}
          found={found}
          tools={tools}
        >
          <Button className="min-h-9! py-1!" onClick={() => void setAll(chosen, 'enabled')}>
            {words.row.enable}
          </Button>
          <Button
            className="min-h-9! py-1!"
            aria-haspopup="dialog"
            onClick={() => setAsking({ kind: 'disable all', chosen })}
          >
            {words.row.disable}
          </Button>
          <Button
            look="dangerPlain"
            className="min-h-9! py-1!"
            aria-haspopup="dialog"
            onClick={() => setAsking({ kind: 'delete all', chosen })}
          >
            {words.row.delete}
          </Button>
        </SelectionBar>
      )}
      {rows.length > 0 && (
        <>
          <RowTable<Deployment>
            label={words.list}
            columns={deploymentColumns}
            rows={rows}
            sort={sort}
            sortBy={sortBy}
            selection={canChoose ? selection : undefined}
            chooseAll={words.bulk.all}
            idOf={idOf}
            nameOf={nameOf}
            addressOf={detailsOf}
            menuOf={menuOf}
          />
          <Pager
            page={page}
            count={rows.length}
            total={formatNumber(shown.length)}
            hasNext={page * rowsPerPage < shown.length}
            canChoose={canChoose}
          />
        </>
      )}
      {opened !== undefined && (
        <DeploymentDetails
          deployment={opened}
          addModel={() => addModel(opened.deployment_id)}
          revoke={(model) => setAsking({ kind: 'revoke', deployment: opened, model })}
          remove={() => setAsking({ kind: 'delete', deployment: opened })}
          onClose={closeDetails}
        />
      )}
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
