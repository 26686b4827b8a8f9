import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { modelsTab } from '#messages/dashboard/models.ts'
import { failures } from '#messages/failures.ts'
import { useMay } from '../../../data/role.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { MintButton } from '../mint/mint-button.tsx'
import { loadModelForm } from '../model-form/model-form-dialog.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { TabMain } from '../shared/tab-main.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { mayOpen, useModelDialog } from './dialogs/dialog-names.ts'
import { ModelList, useWithArchived } from './model-list.tsx'
import { type ModelGroup, needsAttention } from './own-model-groups.ts'
import { useOwnModels } from './own-models.ts'

const words = modelsTab

// Only for an empty list.
const FirstStep = lazy(() => import('../shared/first-step.tsx').then(({ FirstStep }) => ({ default: FirstStep })))

const ModelDialogs = lazy(() =>
  import('./dialogs/model-dialogs.tsx').then(({ ModelDialogs }) => ({ default: ModelDialogs })),
)
const preload = () => void Promise.all([import('./dialogs/model-dialogs.tsx'), loadModelForm()]).catch(() => undefined)

export const ModelsTab = ({ provider }: TabProps) => {
  const { hasKey, groups, isWhole, arrived, failure, again } = useOwnModels(provider.id)
  const may = useMay()
  const isComing = !isWhole && failure === undefined && hasKey
  const { isLoading, isShown } = useSteadyLoading(isComing && groups === undefined)
  const { shown, open, close } = useModelDialog()
  const isEmpty = isWhole && groups?.length === 0
  const state = isLoading || isComing ? 'loading' : groups === undefined ? 'failed' : isEmpty ? 'empty' : 'ready'
  return (
    <TabMain
      state={state}
      busy={isLoading || isComing}
      heading={words.heading}
      status={groups !== undefined && state === 'ready' ? <Status groups={groups} /> : undefined}
      actions={
        <>
          {!isEmpty && <MintButton />}
          <Allowed action="models.register">
            <Button
              look={isEmpty ? 'plain' : 'primary'}
              aria-haspopup="dialog"
              onPointerEnter={preload}
              onFocus={preload}
              onClick={() => open('register', 'new')}
            >
              {words.register}
            </Button>
          </Allowed>
        </>
      }
    >
      <div className="mt-6">
        <p role="status" className="text-muted text-small empty:hidden">
          {isShown || (isComing && arrived > 0) ? words.loading(arrived) : ''}
        </p>
        {isShown && <SkeletonRows count={6} />}
        {state === 'failed' && <LoadFailed hasKey={hasKey} failure={failure} again={() => void again()} />}
        {state === 'empty' && (
          <Suspense>
            <FirstStep
              action="models.register"
              heading={words.empty.heading}
              text={`${words.empty.none} ${words.empty.why}`}
              command={words.empty.command}
            >
              <Button asChild look="primary">
                <Link to="/dashboard/models/register">{words.empty.register}</Link>
              </Button>
            </FirstStep>
          </Suspense>
        )}
        {!isLoading && groups !== undefined && groups.length > 0 && (
          // Show what has loaded while the rest is loading.
          <div inert={!isWhole}>
            <ModelList {...{ groups, open }} />
          </div>
        )}
      </div>
      {shown !== undefined && mayOpen(may, shown.name) && (
        <Suspense>
          <ModelDialogs groups={isWhole ? groups : undefined} {...{ shown, open, close }} />
        </Suspense>
      )}
    </TabMain>
  )
}

/** The summary under the heading. */
const Status = ({ groups }: { groups: readonly ModelGroup[] }) => {
  const [withArchived] = useWithArchived()
  const versions = groups.flatMap((group) => group.versions)
  const troubled = versions.filter(needsAttention).length
  const counted = withArchived
    ? `${words.registered(groups.length)} ${words.versions(versions.length)}.`
    : `${words.active(versions.filter(({ is_active }) => is_active).length)}.`
  return [counted, troubled > 0 && `${words.attention(troubled)}.`].filter(Boolean).join(' ')
}

const LoadFailed = ({ hasKey, failure, again }: { hasKey: boolean; failure: unknown; again: () => void }) => (
  <div role="alert" className="border-bad border-s-4 py-2 ps-4">
    <p className="font-semibold">{hasKey ? words.failedWhy(explainFailure(failure, failures.models)) : words.failed}</p>
    {!hasKey && <p className="mt-1 text-muted text-small">{words.noKey}</p>}
    <Button className="mt-4" onClick={hasKey ? again : () => location.reload()}>
      {words.again}
    </Button>
  </div>
)
