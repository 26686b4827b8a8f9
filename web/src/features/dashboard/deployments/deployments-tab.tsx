import { lazy, Suspense, useMemo } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { Failed } from '../../../failures/failed.tsx'
import { TextField } from '../../../forms/field.tsx'
import { ChoiceField } from '../../../forms/filter-fields.tsx'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Empty } from '../../../ui/layout/empty.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { AddModelDialog } from './add-model-dialog.tsx'
import { Counters } from './counters.tsx'
import { DeploymentList } from './deployment-list.tsx'
import { isWanted } from './matching.ts'
import { useOwnDeployments } from './own-deployments.ts'

const words = deploymentsTab
const statuses = ['all', 'enabled', 'disabled', 'unproven'] as const
const command = 'countersign deployments register --cert client.pem --model MODEL'

const loadRegistering = () => import('./register-dialog.tsx')
const preload = () => void loadRegistering().catch(() => undefined)
const RegisterDialog = lazy(() => loadRegistering().then(({ RegisterDialog }) => ({ default: RegisterDialog })))

/** The Deployments tab. */
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
  const isReady = !isLoading && deployments !== undefined
  const isEmpty = isReady && deployments.length === 0
  const addingTo = deployments?.find(({ deployment_id }) => deployment_id === adding.value)
  const registerButton = (
    <Button
      look="primary"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => registering.open('deployment')}
    >
      {words.register}
    </Button>
  )
  const clear = () => {
    setText('')
    chooseStatus('all')
  }
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
              <ChoiceField
                label={words.status}
                value={status}
                choices={statuses}
                nameOf={(choice) => words.statuses[choice]}
                choose={chooseStatus}
              />
            </search>
            <p role="status" className="mt-4 text-muted text-small">
              {words.shown(shown.length, deployments.length)}
              {own.hasMore && ` ${words.tooMany(deployments.length)}`}
            </p>
          </>
        )}
        {/* Stays mounted when the list becomes empty, because one of its dialogs may still show a message. */}
        {isReady && <DeploymentList own={own} shown={shown} addModel={adding.open} />}
        {isReady && !isEmpty && shown.length === 0 && (
          <Empty heading={words.noMatch}>
            <Button onClick={clear}>{words.clear}</Button>
          </Empty>
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
    </TabMain>
  )
}
