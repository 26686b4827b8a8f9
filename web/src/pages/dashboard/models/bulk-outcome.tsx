import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../data/failure.ts'
import type { ModelGroup } from '../../../data/own-model-groups.ts'
import type { Outcome } from '../../../data/run-all.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { AlreadyArchived, type BulkAct } from './bulk-acts.ts'
import { nameOf } from './names.ts'

const words = modelsTab.bulk

interface BulkOutcomeProps {
  act: BulkAct
  outcome: Outcome<ModelGroup>
  onDismiss: () => void
}

const why = (failure: unknown) => (failure instanceof AlreadyArchived ? modelsTab.archive.already : explainFailure(failure))

/** What was done to how many, and what was not, with the reason. */
export const BulkOutcome = ({ act, outcome: { done, failed }, onDismiss }: BulkOutcomeProps) => (
  <div
    role="status"
    className={classes('grid justify-items-start gap-2 border-s-4 py-1 ps-4', failed.length > 0 ? 'border-bad' : 'border-control')}
  >
    <p className="font-semibold text-small">{words.done[act](done.length)}</p>
    {failed.length > 0 && (
      <>
        <p className="text-small">{words.failed(failed.length)}</p>
        <ul className="max-h-60 overflow-y-auto text-small">
          {failed.map(({ item, failure }) => (
            <li key={item.identifier}>
              <bdi>{words.failure(nameOf(item.newest), why(failure))}</bdi>
            </li>
          ))}
        </ul>
      </>
    )}
    <Button className="min-h-8! px-3! py-1!" onClick={onDismiss}>
      {words.dismiss}
    </Button>
  </div>
)
