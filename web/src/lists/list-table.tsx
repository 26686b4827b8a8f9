import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { classes } from '../ui/classes.ts'

interface ListTableProps<Item> {
  /** Identifies the list, to restore its measured heights. */
  list: string
  label: string
  columns: readonly string[]
  /** The column widths, if there is room for columns. */
  grid: string
  pages: readonly (readonly Item[])[]
  keyOf: (item: Item) => string
  rowOf: (item: Item) => ReactNode
}

// For a row of two lines.
const usualRowHeight = 64

/** Measured page heights of lists left earlier, so that returning restores the scroll position. */
const heights = new Map<string, number>()
const remembered = 2_000

/**
 * Rows in columns, or stacked on a phone. The browser renders only nearby pages, so long lists scroll
 * as smoothly as short ones.
 */
export const ListTable = <Item,>({ list, label, columns, grid, pages, keyOf, rowOf }: ListTableProps<Item>) => (
  // biome-ignore lint/a11y/useSemanticElements: rendering cannot be skipped for parts of a real table
  <div role="table" aria-label={label} className="border-line border-b">
    {/* biome-ignore lint/a11y/useSemanticElements: as above */}
    <div role="rowgroup" className="sr-only lg:not-sr-only">
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: a header row, not interactive */}
      <div role="row" className={classes('py-2 lg:grid lg:gap-x-6', grid)}>
        {columns.map((name) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div key={name} role="columnheader" className="text-muted text-small">
            {name}
          </div>
        ))}
      </div>
    </div>
    {pages.map((items, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other identity in this list
      <ListPage key={`${list} ${index}`} name={`${list} ${index}`} {...{ items, grid, keyOf, rowOf }} />
    ))}
  </div>
)

interface ListPageProps<Item> extends Pick<ListTableProps<Item>, 'grid' | 'keyOf' | 'rowOf'> {
  name: string
  items: readonly Item[]
}

const DrawnPage = <Item,>({ name, items, grid, keyOf, rowOf }: ListPageProps<Item>) => {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const drawn = element.current
    return () => {
      if (heights.size > remembered) heights.clear()
      if (drawn !== null && drawn.offsetHeight > 0) heights.set(name, drawn.offsetHeight)
    }
  }, [name])
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      ref={element}
      role="rowgroup"
      style={{
        contentVisibility: 'auto',
        containIntrinsicBlockSize: `auto ${heights.get(name) ?? items.length * usualRowHeight}px`,
      }}
    >
      {items.map((item) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: its link is focusable
        <div
          key={keyOf(item)}
          role="row"
          className={classes(
            'relative grid gap-x-6 gap-y-1 border-line border-t py-3.5 text-small hover:bg-sunken lg:py-4',
            grid,
          )}
        >
          {rowOf(item)}
        </div>
      ))}
    </div>
  )
}

const ListPage = memo(DrawnPage) as typeof DrawnPage

export const Cell = ({ className, children }: { className?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: as above
  <div role="cell" className={classes('min-w-0', className)}>
    {children}
  </div>
)

/** For a link in a row: makes the whole row clickable. Other links in the row need `relative`. */
export const wholeRow = 'after:absolute after:inset-0'
