import { memo, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { listWords as words } from '#messages/dashboard/list.ts'
import { classes } from '../ui/classes.ts'
import { actOfKey } from './row-keys.ts'
import { type MenuItem, RowMenu } from './row-menu.tsx'
import type { Sort } from './sorting.ts'
import type { useSelection } from './use-selection.ts'

export interface Column<Row> {
  /** Also its name in the address, if it can be sorted by. */
  key: string
  name: string
  /** Its width, and from which window width it is shown. The first column takes what is left. */
  className?: string
  isSortable?: boolean
  /** One or two lines; longer ones end with an ellipsis. */
  cell: (row: Row) => ReactNode
}

export interface RowKind<Row> {
  idOf: (row: Row) => string
  /** Names the row, for screen readers. */
  nameOf: (row: Row) => string
  /** Where Enter and a click on its first cell lead. */
  addressOf: (row: Row) => string
  menuOf: (row: Row) => readonly MenuItem[]
  canChoose?: (row: Row) => boolean
}

interface RowTableProps<Row> extends RowKind<Row> {
  label: string
  /** The first one is the link that opens the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  sort?: Sort
  sortBy?: (column: string) => void
  /** Undefined if nothing can be done with several rows. */
  selection?: ReturnType<typeof useSelection> | undefined
  /** The label of the checkbox that selects all. */
  chooseAll?: string
}

/** Dense rows of a list: sorted by their headings, opened by a link, with one menu each and one place in the tab order. */
export const RowTable = <Row extends object>(props: RowTableProps<Row>) => {
  const { label, columns, rows, sort, sortBy, selection, chooseAll, idOf, addressOf, canChoose = () => true } = props
  const hint = useId()
  const body = useRef<HTMLTableSectionElement>(null)
  const [entered, setEntered] = useState<string>()
  const current = rows.some((row) => idOf(row) === entered) ? entered : rows[0] && idOf(rows[0])
  // Rows keep these functions, so that they are not drawn again.
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const [stable] = useState(() => ({
    nameOf: (row: Row) => latest.current.nameOf(row),
    menuOf: (row: Row) => latest.current.menuOf(row),
    choose: (row: Row) => latest.current.selection?.toggle(latest.current.idOf(row)),
  }))

  const press = (event: React.KeyboardEvent) => {
    const target = event.target as HTMLElement
    const at = rows.findIndex((row) => idOf(row) === target.closest('tr')?.dataset.row)
    const row = rows[at]
    if (row === undefined || !target.matches('[data-opens], [type=checkbox]')) return
    const act = actOfKey(event, {
      at,
      count: rows.length,
      canChoose: selection !== undefined && canChoose(row) && target.matches('[data-opens]'),
    })
    if (act === undefined) return
    event.preventDefault()
    if (act.kind === 'choose') stable.choose(row)
    else body.current?.rows[act.to]?.querySelector<HTMLElement>('[data-opens]')?.focus()
  }
  return (
    <div className="rounded-surface border border-line bg-surface">
      <p id={hint} hidden>
        {words.keys.hint(selection !== undefined)}
      </p>
      <table aria-label={label} aria-describedby={hint} className="w-full table-fixed text-small">
        <thead className="text-micro">
          <tr>
            {selection && (
              <th className="w-10 ps-3 text-start">
                <input
                  type="checkbox"
                  aria-label={chooseAll}
                  checked={selection.isAll}
                  ref={(box) => {
                    if (box) box.indeterminate = selection.chosen.length > 0 && !selection.isAll
                  }}
                  onChange={selection.toggleAll}
                  className="size-4 accent-ink align-middle"
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} sortBy={sortBy} />
            ))}
            <td className="w-12" />
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={press} onFocus={({ target }) => setEntered(target.closest('tr')?.dataset.row)}>
          {rows.map((row) => (
            <DenseRow
              key={idOf(row)}
              id={idOf(row)}
              row={row}
              columns={columns}
              address={addressOf(row)}
              isCurrent={idOf(row) === current}
              isChosen={selection && canChoose(row) ? selection.has(idOf(row)) : null}
              hasBox={selection !== undefined}
              {...stable}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadingProps<Row> extends Pick<RowTableProps<Row>, 'sort' | 'sortBy'> {
  column: Column<Row>
}

const Heading = <Row,>({ column: { key, name, className, isSortable }, sort, sortBy }: HeadingProps<Row>) => {
  const isSorted = sort?.column === key
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
      className={classes('h-9 px-2 text-start sm:px-3 font-semibold text-muted', className)}
    >
      {isSortable && sortBy ? (
        <button
          type="button"
          onClick={() => sortBy(key)}
          className={classes(
            '-mx-1 max-w-full cursor-pointer truncate px-1 py-1.5 hover:underline',
            isSorted && 'text-ink',
          )}
        >
          {isSorted ? `${name} ${sort.isDescending ? '↓' : '↑'}` : name}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

interface DenseRowProps<Row> extends Pick<RowKind<Row>, 'nameOf' | 'menuOf'> {
  id: string
  address: string
  row: Row
  columns: readonly Column<Row>[]
  isCurrent: boolean
  /** Null if it cannot be selected. */
  isChosen: boolean | null
  hasBox: boolean
  choose: (row: Row) => void
}

const DrawnRow = <Row extends object>(props: DenseRowProps<Row>) => {
  const { id, row, columns, address, isCurrent, isChosen, hasBox, nameOf, menuOf, choose } = props
  const name = nameOf(row)
  const tabIndex = isCurrent ? 0 : -1
  return (
    <tr
      data-row={id}
      className={classes(
        'h-14 border-line border-t hover:bg-sunken has-[a:focus-visible]:bg-sunken',
        isChosen === true && 'bg-sunken',
      )}
    >
      {hasBox && (
        <td className="ps-3">
          {isChosen !== null && (
            <input
              type="checkbox"
              tabIndex={tabIndex}
              aria-label={words.choose(name)}
              checked={isChosen}
              onChange={() => choose(row)}
              className="size-4 accent-ink align-middle"
            />
          )}
        </td>
      )}
      {columns.map(({ key, className, cell }, index) =>
        index === 0 ? (
          <td key={key} className={classes('px-2 py-1.5 sm:px-3', className)}>
            <Link data-opens to={address} preventScrollReset tabIndex={tabIndex} className="block hover:underline">
              {cell(row)}
            </Link>
          </td>
        ) : (
          <td key={key} className={classes('px-2 py-1.5 sm:px-3', className)}>
            {cell(row)}
          </td>
        ),
      )}
      <td className="pe-1.5 text-end">
        <RowMenu name={name} tabIndex={tabIndex} itemsOf={() => menuOf(row)} />
      </td>
    </tr>
  )
}

const isEqual = (a: object, b: object) => {
  const [before, after] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(after)
  return keys.length === Object.keys(before).length && keys.every((key) => Object.is(before[key], after[key]))
}

/** A row that is built again from the same parts is not drawn again. */
const DenseRow = memo(
  DrawnRow,
  ({ row: before, ...rest }, { row: after, ...restAfter }) => isEqual(rest, restAfter) && isEqual(before, after),
) as typeof DrawnRow

interface RowTitleProps {
  title: string
  under: string
  underClassName?: string
  /** The second line on a phone, which has no room for other columns. */
  onPhone?: ReactNode
}

/** The first cell of a row: what it is, in up to two lines on a phone, and what is said of it. */
export const RowTitle = ({ title, under, underClassName, onPhone }: RowTitleProps) => (
  <>
    <bdi title={title} className="wrap-anywhere line-clamp-2 text-left font-semibold sm:block sm:truncate">
      {title}
    </bdi>
    <span
      title={under}
      className={classes(
        'block truncate text-micro text-muted',
        onPhone !== undefined && 'max-sm:hidden',
        underClassName,
      )}
    >
      {under}
    </span>
    {onPhone !== undefined && <span className="block truncate text-micro text-muted sm:hidden">{onPhone}</span>}
  </>
)

/** A text of one line. */
export const Line = ({ children, isMuted = false }: { children: string; isMuted?: boolean }) => (
  <span title={children} className={classes('block truncate', isMuted && 'text-muted')}>
    {children}
  </span>
)
