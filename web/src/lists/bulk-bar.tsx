import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import type { useSelection } from './use-selection.ts'

interface BulkBarProps {
  selection: ReturnType<typeof useSelection>
  /** The progress of a bulk action. */
  progress: { done: number; count: number } | null
  words: {
    all: string
    chosen: (count: number) => string
    working: (done: number, count: number) => string
    clear: string
  }
  /** Actions for the selected items. */
  children: ReactNode
}

/** Shown above a list: how many items are selected, and the actions for them. */
export const BulkBar = ({ selection, progress, words, children }: BulkBarProps) => {
  const count = selection.chosen.length
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <label className="flex items-center gap-2 text-small">
        <input
          type="checkbox"
          checked={selection.isAll}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !selection.isAll
          }}
          onChange={selection.toggleAll}
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
          <Button onClick={selection.clear}>{words.clear}</Button>
        </div>
      )}
    </div>
  )
}
