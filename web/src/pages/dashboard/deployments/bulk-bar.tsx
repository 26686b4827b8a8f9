import type { ReactNode } from 'react'
import { deploymentsTab } from '#messages/dashboard/deployments.ts'
import { Button } from '../../../ui/button.tsx'

const words = deploymentsTab.bulk

interface BulkBarProps {
  count: number
  isAll: boolean
  toggleAll: () => void
  clear: () => void
  /** How far work on many has come. */
  progress: { done: number; count: number } | null
  children: ReactNode
}

/** Above a list: how many are chosen, and what can be done with them. */
export const BulkBar = ({ count, isAll, toggleAll, clear, progress, children }: BulkBarProps) => (
  <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-2">
    <label className="flex items-center gap-2 text-small">
      <input
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll
        }}
        onChange={toggleAll}
        className="m-1 size-4 accent-ink"
      />
      {words.all}
    </label>
    <p role="status" className="text-small">
      {progress ? words.working(progress.done, progress.count) : count > 0 && words.chosen(count)}
    </p>
    {count > 0 && progress === null && (
      <div className="flex flex-wrap gap-2">
        {children}
        <Button onClick={clear}>{words.clear}</Button>
      </div>
    )}
  </div>
)
