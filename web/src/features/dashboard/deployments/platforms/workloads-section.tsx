import type { Deployment } from '@countersign/sdk/contract'
import { lazy, Suspense } from 'react'
import { workloadsSection as words } from '#messages/dashboard/workloads.ts'
import { useAddressDialog } from '../../../../hooks/use-address-dialog.ts'
import { OwnListSection } from '../../shared/own-list-section.tsx'
import { useOwnWorkloads } from './own-workloads.ts'
import { lineOf, WorkloadRow } from './workload-row.tsx'

const command =
  'countersign deployments trust add --issuer https://accounts.google.com --subject 104892101023384723846 --model MODEL'

const loadForm = () => import('./workload-dialog.tsx')
const preload = () => void loadForm().catch(() => undefined)
const WorkloadDialog = lazy(() => loadForm().then((form) => ({ default: form.WorkloadDialog })))

interface WorkloadsSectionProps {
  providerId: string
  deployments: readonly Deployment[]
  reload: () => Promise<void>
}

/** Platform identities that stand for deployments. `trust` in the address is `new`, or the deployment's ID. */
export const WorkloadsSection = ({ providerId, deployments, reload }: WorkloadsSectionProps) => {
  const own = useOwnWorkloads(providerId, reload)
  const trusting = useAddressDialog('trust')
  return (
    <OwnListSection
      heading={words.label}
      className="mt-12"
      words={words}
      command={command}
      own={{ data: own.list, failure: own.failure, again: own.again }}
      itemsOf={({ workloads }) => workloads}
      row={(workload, { audience }, onRemove) => (
        <WorkloadRow
          key={workload.id}
          workload={workload}
          deployment={deployments.find(({ deployment_id }) => deployment_id === workload.deployment_id)}
          scene={{ provider: providerId, registry: audience }}
          onRemove={onRemove}
        />
      )}
      actions={{ add: 'workloads.trust', remove: 'workloads.remove' }}
      add={() => trusting.open('new')}
      preload={preload}
      removal={{ words: words.remove, lineOf, act: own.remove }}
    >
      {trusting.value !== null && own.list && (
        <Suspense>
          <WorkloadDialog
            deployment={trusting.value === 'new' ? '' : trusting.value}
            audience={own.list.audience}
            trust={own.trust}
            onClose={trusting.close}
          />
        </Suspense>
      )}
    </OwnListSection>
  )
}
