import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { listWords as words } from '#messages/dashboard/list.ts'
import { formatNumber } from '#messages/site.ts'
import type { useUrlText } from '../hooks/use-url-text.ts'
import { classes } from '../ui/classes.ts'
import { Button } from '../ui/controls/button.tsx'
import { controlLook } from '../ui/controls/control-look.ts'
import { type Sort, textOf } from './sorting.ts'
import type { useSelection } from './use-selection.ts'

export interface SavedFilter {
  key: string
  name: string
  /** How many rows it leads to. */
  count?: number
  to: string
}

/** Filters that are used often, each a link with the number of its rows. */
export const SavedFilters = ({ filters, current }: { filters: readonly SavedFilter[]; current: string }) => (
  <nav aria-label={words.saved}>
    <ul className="-m-1 flex gap-2 overflow-x-auto p-1 sm:flex-wrap">
      {filters.map(({ key, name, count, to }) => (
        <li key={key} className="shrink-0">
          <Link
            to={to}
            preventScrollReset
            aria-current={key === current ? 'true' : undefined}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-control border border-control bg-surface px-3 text-small hover:bg-sunken aria-[current]:border-ink aria-[current]:font-semibold"
          >
            {name}
            {count !== undefined && <span className="tabular-nums">{formatNumber(count)}</span>}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

interface SearchBoxProps {
  label: string
  placeholder?: string
  maxLength: number
  text: Pick<ReturnType<typeof useUrlText>, 'text' | 'setText'>
}

/** A text in the address that narrows a list, without a label above it. */
export const SearchBox = ({ label, placeholder, maxLength, text: { text, setText } }: SearchBoxProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={placeholder ?? label}
    maxLength={maxLength}
    autoComplete="off"
    spellCheck={false}
    value={text}
    onChange={({ target }) => setText(target.value)}
    className={classes(controlLook, 'min-w-48 flex-1 basis-48')}
  />
)

interface ChoiceBoxProps {
  label: string
  value: string
  choices: readonly { value: string; name: string }[]
  choose: (value: string) => void
  className?: string
}

/** A choice of a few values, without a label above it. */
export const ChoiceBox = ({ label, value, choices, choose, className }: ChoiceBoxProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={({ target }) => choose(target.value)}
    className={classes(controlLook, 'w-auto! max-w-full', className)}
  >
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.name}
      </option>
    ))}
  </select>
)

interface SortBoxProps {
  columns: readonly { key: string; name: string; isSortable?: boolean }[]
  sort: Sort
  choose: (sort: string) => void
  className?: string
}

/** The order of a list, where there is no room for all headings. */
export const SortBox = ({ columns, sort, choose, className }: SortBoxProps) => (
  <ChoiceBox
    label={words.sortBy}
    value={textOf(sort)}
    choices={columns
      .filter(({ isSortable }) => isSortable)
      .flatMap(({ key, name }) =>
        [true, false].map((isDescending) => ({
          value: textOf({ column: key, isDescending }),
          name: words.sorted(name, isDescending),
        })),
      )}
    choose={choose}
    {...(className !== undefined && { className })}
  />
)

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>
  /** The progress of a bulk action. */
  progress: { done: number; count: number } | null
  words: { chosen: (count: number) => string; working: (done: number, count: number) => string }
  /** How many are listed, and what can be done with the list; shown while none is selected. */
  found: string
  tools?: ReactNode
  /** Actions for the selected rows. */
  children?: ReactNode
}

/** The line above a list: how many rows it has, or how many are selected and what can be done with them. */
export const SelectionBar = ({ selection, progress, words: own, found, tools, children }: SelectionBarProps) => {
  const count = selection.chosen.length
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 py-1.5">
      <p role="status" className="text-small">
        {progress ? own.working(progress.done, progress.count) : count > 0 ? own.chosen(count) : found}
      </p>
      {count > 0 && progress === null && (
        <div className="flex flex-wrap gap-2">
          {children}
          <Button className="min-h-9! py-1!" onClick={selection.clear}>
            {words.clearSelection}
          </Button>
        </div>
      )}
      {count === 0 && progress === null && tools}
    </div>
  )
}
