import { useMemo, useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { LoadMore } from '../../../lists/load-more.tsx'
import { useSelection } from '../../../lists/use-selection.ts'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import { GroupRow } from './group-row.tsx'
import { ModelsBulkBar } from './models-bulk-bar.tsx'
import type { ModelGroup } from './own-model-groups.ts'

const atOnce = 25

/** The filtered models. Renders only as many as the user has scrolled to. */
export const ModelList = ({ groups, open }: { groups: readonly ModelGroup[]; open: OpenDialog }) => {
  const [count, setCount] = useState(atOnce)
  const selection = useSelection(useMemo(() => groups.map(({ identifier }) => identifier), [groups]))
  // The first one acts for all; a stable reference keeps rows from re-rendering.
  const [choose] = useState(() => selection.toggle)
  return (
    <>
      <ModelsBulkBar groups={groups} selection={selection} />
      {groups.length > 0 && (
        <ul aria-label={modelsTab.list} className="border-line border-t">
          {groups.slice(0, count).map((group) => (
            <GroupRow
              key={group.identifier}
              group={group}
              isChosen={selection.has(group.identifier)}
              choose={choose}
              open={open}
            />
          ))}
        </ul>
      )}
      {count < groups.length && <LoadMore key={count} isLoading={false} loadMore={() => setCount(count + atOnce)} />}
    </>
  )
}
