import type { Deployment } from '@countersign/sdk/contract'
import { lazy, Suspense, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { useMay } from '../../../data/role.ts'
import { maxSearchText } from '../../../data/search-limits.ts'
import { Failed } from '../../../failures/failed.tsx'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { ExportButton } from '../../../lists/export-button.tsx'
import { SavedFilters, SearchBox, SortBox } from '../../../lists/list-bar.tsx'
import { useSort } from '../../../lists/use-sort.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Empty } from '../../../ui/layout/empty.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import { addressOf } from '../shared/tab-names.ts'
import type { TabProps } from '../shared/tab-props.ts'
import { AddModelDialog } from './add-model-dialog.tsx'
import { deploymentColumns } from './deployment-columns.tsx'
import { DeploymentList } from './deployment-list.tsx'
import { deploymentSorts, sortDeployments, usualSort } from './deployment-sorts.ts'
import { countViews, deploymentViews, isWanted } from './matching.ts'
import { useOwnDeployments } from './own-deployments.ts'

const words = deploymentsTab
const csvColumns = [
  'deployment_id',
  'spki_fingerprint',
  'status',
  'created_at',
  'spiffe_id',
  'cloud_identity',
  'labels',
  'proven_at',
  'proven_by',
  'last_proven_at',
  'last_proven_by',
  'last_used_at',
  'authorized_models',
] as const satisfies (keyof Deployment)[]
const command = 'countersign deployments register --cert client.pem --model MODEL'

const loadRegistering = () => import('./register-dialog.tsx')
const preload = () => void loadRegistering().catch(() => undefined)
const RegisterDialog = lazy(() => loadRegistering().then(({ RegisterDialog }) => ({ default: RegisterDialog })))

const WorkloadsSection = lazy(() =>
  import('./platforms/workloads-section.tsx').then((section) => ({ default: section.WorkloadsSection })),
)

/** The Deployments tab. */
export const DeploymentsTab = ({ provider }: TabProps) => {
  const own = useOwnDeployments(provider.id)
  const { deployments, failure, again } = own
  const { isLoading, isShown } = useSteadyLoading(deployments === undefined && failure === undefined)
  const may = useMay()
  const registering = useAddressDialog('register')
  const adding = useAddressDialog('authorize')
  const details = useAddressDialog('deployment')
  const [, setParams] = useSearchParams()
  const [view, chooseView] = useUrlChoice('status', deploymentViews)
  const { sort, sortBy, chooseSort } = useSort(deploymentSorts, usualSort, ['created', 'proof', 'models'])
  const { text, setText, inAddress } = useUrlText('q')
  const shown = useMemo(
    () =>
      sortDeployments(
        (deployments ?? []).filter((each) => isWanted(each, { view, text: inAddress })),
        sort,
      ),
    [deployments, view, inAddress, sort],
  )
  const counts = useMemo(() => countViews(deployments ?? []), [deployments])
  const isReady = !isLoading && deployments !== undefined
  const isEmpty = isReady && deployments.length === 0
  const addingTo = deployments?.find(({ deployment_id }) => deployment_id === adding.value)
  const registerButton = (
    <Allowed action="deployments.register">
      <Button
        look="primary"
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => registering.open('deployment')}
      >
        {words.register}
      </Button>
    </Allowed>
  )
  const clear = () => {
    setText('')
    chooseView('all')
  }
  // In place of the details: two dialogs that open at the same time hide each other from screen readers.
  const openFor = (dialog: 'authorize' | 'trust') => (id: string) =>
    setParams(
      (before) => {
        before.delete('deployment')
        before.set(dialog, id)
        return before
      },
      { preventScrollReset: true },
    )
  return (
    <TabMain
      state={isLoading ? 'loading' : deployments === undefined ? 'failed' : isEmpty ? 'empty' : 'ready'}
      busy={isLoading}
      heading={words.heading}
      status={words.about}
      actions={isReady && !isEmpty ? registerButton : undefined}
    >
      <div className="mt-6">
        {isShown && (
          <>
            <p role="status" className="sr-only">
              {words.loading}
            </p>
            <SkeletonRows />
          </>
        )}
        {!isLoading && deployments === undefined && (
          <Failed heading={words.failed} failure={failure} again={() => void again()} />
        )}
        {isEmpty && (
          <FirstStep
            action="deployments.register"
            heading={words.none.heading}
            text={words.none.text}
            command={command}
          >
            {registerButton}
          </FirstStep>
        )}
        {isReady && !isEmpty && (
          <search className="grid grid-cols-1 gap-3">
            <SavedFilters
              current={view}
              filters={deploymentViews.map((each) => ({
                key: each,
                name: words.statuses[each],
                count: counts[each],
                to: `${addressOf('deployments')}${each === 'all' ? '' : `&status=${each}`}`,
              }))}
            />
            <div className="flex flex-wrap items-center gap-2">
              <SearchBox
                label={words.searchLabel}
                placeholder={words.search}
                maxLength={maxSearchText}
                text={{ text, setText }}
              />
              <SortBox className="xl:hidden" columns={deploymentColumns} sort={sort} choose={chooseSort} />
            </div>
          </search>
        )}
        {/* Stays mounted when the list becomes empty, because one of its dialogs may still show a message. */}
        {isReady && (
          <DeploymentList
            own={own}
            shown={shown}
            {...{ sort, sortBy }}
            found={
              own.hasMore
                ? `${words.shown(shown.length, deployments.length)} ${words.tooMany(deployments.length)}`
                : words.shown(shown.length, deployments.length)
            }
            tools={
              <span className="ms-auto flex gap-2">
                <ExportButton<Deployment>
                  list="deployments"
                  filters={[view, inAddress].filter((each) => each !== 'all' && each !== '')}
                  columns={csvColumns}
                  rows={() => shown}
                />
              </span>
            }
            opened={deployments.find(({ deployment_id }) => deployment_id === details.value)}
            closeDetails={details.close}
            addModel={openFor('authorize')}
            trustPlatform={openFor('trust')}
          />
        )}
        {isReady && !isEmpty && shown.length === 0 && (
          <Empty heading={words.noMatch}>
            <Button onClick={clear}>{words.clear}</Button>
          </Empty>
        )}
      </div>
      {isReady && (
        <Suspense>
          <WorkloadsSection providerId={provider.id} deployments={deployments} reload={again} />
        </Suspense>
      )}
      {registering.value !== null && may('deployments.register') && (
        <Suspense>
          <RegisterDialog register={own.register} onClose={registering.close} />
        </Suspense>
      )}
      {addingTo && may('models.allowDeployment') && (
        <AddModelDialog
          deployment={addingTo}
          authorize={(model) => own.authorize(addingTo.deployment_id, model)}
          reload={again}
          onClose={adding.close}
        />
      )}
    </TabMain>
  )
}
