import type { Deployment, DeploymentStatus } from '@countersign/sdk/contract'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { explainFailure } from '../../../data/failure.ts'
import { useOwnDeployments } from '../../../data/own-deployments.ts'
import { type Outcome, runAll } from '../../../data/run-all.ts'
import { useAddressDialog } from '../../../data/use-address-dialog.ts'
import { useSelection } from '../../../data/use-selection.ts'
import { useUrlChoice } from '../../../data/use-url-choice.ts'
import { useUrlText } from '../../../data/use-url-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failed } from '../../../ui/failed.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useSteadyLoading } from '../../../ui/use-steady-loading.ts'
import { FirstStep } from '../first-step.tsx'
import { TabMain } from '../tab-main.tsx'
import type { TabProps } from '../tabs.ts'
import { AddModelDialog } from './add-model-dialog.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { BulkFailures } from './bulk-failures.tsx'
import { Counters } from './counters.tsx'
import { BulkDialog, DeleteDialog, RevokeDialog } from './deployment-dialogs.tsx'
import { type Act, DeploymentRow, type Model } from './deployment-row.tsx'
import { isWanted } from './matching.ts'

const words = deploymentsTab
const statuses = ['all', 'enabled', 'disabled'] as const
const command = 'countersign deployments register --cert client.pem --model MODEL'

const loadRegistering = () => import('./register-dialog.tsx')
const preload = () => void loadRegistering().catch(() => undefined)
const RegisterDialog = lazy(() => loadRegistering().then(({ RegisterDialog }) => ({ default: RegisterDialog })))

type Asking =
  | { kind: 'delete'; deployment: Deployment }
  | { kind: 'revoke'; deployment: Deployment; model: Model }
  | { kind: BulkKind; chosen: readonly Deployment[] }
type BulkKind = 'enable' | 'disable' | 'delete all'

/** Where the provider's models run, and which deployment may speak for which model. */
export const DeploymentsTab = ({ provider }: TabProps) => {
  const own = useOwnDeployments(provider.id)
  const { deployments, failure, again } = own
  const { isLoading, isShown } = useSteadyLoading(deployments === undefined && failure === undefined)
  const registering = useAddressDialog('register')
  const adding = useAddressDialog('authorize')
  const [status, chooseStatus] = useUrlChoice('status', statuses)
  const { text, setText, inAddress } = useUrlText('q')
  const shown = useMemo(
    () => (deployments ?? []).filter((each) => isWanted(each, { status, text: inAddress })),
    [deployments, status, inAddress],
  )
  const ids = useMemo(() => shown.map(({ deployment_id }) => deployment_id), [shown])
  const selection = useSelection(ids)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null)
  const [outcome, setOutcome] = useState<Outcome<Deployment> | null>(null)
  const chosen = useMemo(() => shown.filter(({ deployment_id }) => selection.has(deployment_id)), [shown, selection.has])

  const setStatus = async ({ deployment_id }: Deployment, next: DeploymentStatus) => {
    try {
      await own.setStatus(deployment_id, next)
      toast.success(words.statusChanged[next])
    } catch (error) {
      toast.error(words.statusFailed, { description: explainFailure(error) })
      await again()
    }
  }

  /** What was refused is told where the list is, with why; and the list is asked for again. */
  const changeAll = async (kind: BulkKind, those: readonly Deployment[]) => {
    const { act, done } = bulk[kind]
    setOutcome(null)
    setProgress({ done: 0, count: those.length })
    const ended = await runAll(those, act, (count) => setProgress({ done: count, count: those.length }))
    setProgress(null)
    selection.clear()
    if (ended.done.length > 0) toast.success(done(ended.done.length))
    if (ended.failed.length === 0) return
    setOutcome(ended)
    await again()
  }
  const bulk: Record<BulkKind, { act: (deployment: Deployment) => Promise<unknown>; done: (count: number) => string }> = {
    enable: { act: ({ deployment_id }) => own.setStatus(deployment_id, 'enabled'), done: words.bulk.done.enabled },
    disable: { act: ({ deployment_id }) => own.setStatus(deployment_id, 'disabled'), done: words.bulk.done.disabled },
    'delete all': { act: ({ deployment_id }) => own.remove(deployment_id), done: words.bulk.done.deleted },
  }

  /** What a dialog confirmed; it says why where this fails, and what is shown is asked for again. */
  const carryOut = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act()
    } catch (error) {
      await again()
      throw error
    }
    toast.success(done)
  }

  const latest = useRef<(act: Act) => void>(() => undefined)
  latest.current = (act) => {
    const { kind, deployment } = act
    if (kind === 'choose') selection.toggle(deployment.deployment_id)
    else if (kind === 'switch') void setStatus(deployment, deployment.status === 'enabled' ? 'disabled' : 'enabled')
    else if (kind === 'add') adding.open(deployment.deployment_id)
    else if (kind === 'revoke') setAsking({ kind, deployment, model: act.model })
    else setAsking({ kind, deployment })
  }
  const act = useCallback((wanted: Act) => latest.current(wanted), [])

  const isReady = !isLoading && deployments !== undefined
  const isEmpty = isReady && deployments.length === 0
  const registerButton = (
    <Button look="primary" aria-haspopup="dialog" onPointerEnter={preload} onFocus={preload} onClick={() => registering.open('deployment')}>
      {words.register}
    </Button>
  )
  const addingTo = deployments?.find(({ deployment_id }) => deployment_id === adding.value)
  const close = () => setAsking(null)
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
        {!isLoading && deployments === undefined && <Failed heading={words.failed} failure={failure} again={() => void again()} />}
        {isEmpty && (
          <FirstStep heading={words.none.heading} text={words.none.text} command={command}>
            {registerButton}
          </FirstStep>
        )}
        {isReady && !isEmpty && (
          <>
            <Counters deployments={deployments} />
            <search className="mt-6 grid gap-4 sm:grid-cols-[1fr_12rem]">
              <TextField
                label={words.searchLabel}
                hint={words.searchHint}
                type="search"
                placeholder={words.search}
                value={text}
                onChange={({ target }) => setText(target.value)}
                autoComplete="off"
                spellCheck={false}
              />
              <SelectField label={words.status} value={status} onChange={({ target }) => chooseStatus(target.value)}>
                {statuses.map((each) => (
                  <option key={each} value={each}>
                    {words.statuses[each]}
                  </option>
                ))}
              </SelectField>
            </search>
            <p role="status" className="mt-4 text-muted text-small">
              {words.shown(shown.length, deployments.length)}
              {own.hasMore && ` ${words.tooMany(deployments.length)}`}
            </p>
            {outcome && <BulkFailures outcome={outcome} onClose={() => setOutcome(null)} />}
            {shown.length > 0 && (
              <BulkBar
                count={selection.chosen.length}
                isAll={selection.isAll}
                toggleAll={selection.toggleAll}
                clear={selection.clear}
                progress={progress}
              >
                <Button onClick={() => void changeAll('enable', chosen)}>{words.row.enable}</Button>
                <Button aria-haspopup="dialog" onClick={() => setAsking({ kind: 'disable', chosen })}>
                  {words.row.disable}
                </Button>
                <Button aria-haspopup="dialog" onClick={() => setAsking({ kind: 'delete all', chosen })}>
                  {words.row.delete}
                </Button>
              </BulkBar>
            )}
            {shown.length === 0 ? (
              <Empty heading={words.noMatch}>
                <Button
                  onClick={() => {
                    setText('')
                    chooseStatus('all')
                  }}
                >
                  {words.clear}
                </Button>
              </Empty>
            ) : (
              <ul>
                {shown.map((deployment) => (
                  <DeploymentRow
                    key={deployment.deployment_id}
                    deployment={deployment}
                    isChosen={selection.has(deployment.deployment_id)}
                    act={act}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      {registering.value !== null && (
        <Suspense>
          <RegisterDialog register={own.register} onClose={registering.close} />
        </Suspense>
      )}
      {addingTo && (
        <AddModelDialog
          deployment={addingTo}
          authorize={(model) => own.authorize(addingTo.deployment_id, model)}
          reload={again}
          onClose={adding.close}
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
          {...asking}
          act={() => carryOut(() => own.revoke(asking.deployment.deployment_id, asking.model.id), words.revoke.done)}
          onClose={close}
        />
      )}
      {(asking?.kind === 'disable' || asking?.kind === 'delete all') && (
        <BulkDialog
          kind={asking.kind === 'disable' ? 'disable' : 'delete'}
          chosen={asking.chosen}
          act={() => changeAll(asking.kind, asking.chosen)}
          onClose={close}
        />
      )}
    </TabMain>
  )
}
