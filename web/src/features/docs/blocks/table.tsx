import { classes } from '../../../ui/classes.ts'
import { InlineText } from './inline-text.tsx'

interface TableProps {
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

const small = {
  table: '@sm:table',
  head: '@sm:not-sr-only @sm:table-header-group',
  body: '@sm:table-row-group',
  row: '@sm:table-row @sm:py-0',
  cell: '@sm:table-cell @sm:py-2.5 @sm:pe-4 @sm:last:pe-0',
  label: '@sm:before:content-none',
  empty: '@max-sm:hidden',
}

/** Many columns need more room. */
const wide: typeof small = {
  table: '@xl:table',
  head: '@xl:not-sr-only @xl:table-header-group',
  body: '@xl:table-row-group',
  row: '@xl:table-row @xl:py-0',
  cell: '@xl:table-cell @xl:py-2.5 @xl:pe-4 @xl:last:pe-0',
  label: '@xl:before:content-none',
  empty: '@max-xl:hidden',
}

/** A table. On narrow screens, each row becomes a labelled list, so that nothing is cut off. */
export const Table = ({ heads, rows }: TableProps) => {
  const look = heads.length > 2 ? wide : small
  return (
    <div className="@container my-6 wrap-break-word">
      <table className={classes('block w-full border-line border-t text-small', look.table)}>
        <thead className={classes('sr-only', look.head)}>
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className="border-line border-b py-2 pe-4 text-start font-semibold text-muted last:pe-0"
              >
                <InlineText text={head} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes('block', look.body)}>
          {rows.map((row) => (
            <tr key={row.join()} className={classes('block border-line border-b py-2', look.row)}>
              {row.map((cell, index) =>
                index === 0 ? (
                  <th
                    key={heads[index]}
                    scope="row"
                    className={classes('block py-0.5 text-start align-top font-normal', look.cell)}
                  >
                    <InlineText text={cell} />
                  </th>
                ) : (
                  <td
                    key={heads[index]}
                    data-head={heads[index]?.replaceAll('`', '')}
                    className={classes(
                      'block py-0.5 align-top before:me-2 before:text-muted before:content-[attr(data-head)]',
                      look.cell,
                      look.label,
                      cell === '' && look.empty,
                    )}
                  >
                    <InlineText text={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
