import type { Deployment } from '@countersign/sdk/contract'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { site } from '#messages/site.ts'
import { explainFailure } from '../../../data/failure.ts'
import type { Outcome } from '../../../data/run-all.ts'
import { Button } from '../../../ui/button.tsx'
import { nameOf } from './matching.ts'

const words = deploymentsTab

/** Which of many could not be changed, and why. */
export const BulkFailures = ({ outcome, onClose }: { outcome: Outcome<Deployment>; onClose: () => void }) => (
  <div role="alert" className="mt-4 grid justify-items-start gap-2 border-bad border-s-4 py-2 ps-4 text-small">
    <p className="font-semibold">{words.bulk.failed(outcome.failed.length)}</p>
    <ul className="list-disc ps-5">
      {outcome.failed.map(({ item, failure }) => (
        <li key={item.deployment_id}>{words.withReason(nameOf(item), explainFailure(failure))}</li>
      ))}
    </ul>
    <Button onClick={onClose}>{site.dialog.close}</Button>
  </div>
)
