import { classes } from '../../ui/classes.ts'
import { InlineText } from './inline-text.tsx'

interface TableProps {
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Rows between rules. On a narrow screen each row is a small list, so that nothing is cut off. */
export const Table = ({ heads, rows }: TableProps) => (
  <table className="my-6 block w-full border-line border-t text-small sm:table">
    <thead className="sr-only sm:not-sr-only sm:table-header-group">
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" className="border-line border-b py-2 pe-4 text-start font-semibold text-muted last:pe-0">
            <InlineText text={head} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="block sm:table-row-group">
      {rows.map((row) => (
        <tr key={row.join()} className="block border-line border-b py-2 sm:table-row">
          {row.map((cell, index) =>
            index === 0 ? (
              <th key={heads[index]} scope="row" className="block py-0.5 pe-4 text-start align-top font-normal sm:table-cell sm:py-2.5">
                <InlineText text={cell} />
              </th>
            ) : (
              <td
                key={heads[index]}
                data-head={heads[index]?.replaceAll('`', '')}
                className={classes(
                  'block py-0.5 align-top sm:table-cell sm:py-2.5 sm:pe-4 sm:last:pe-0',
                  cell === '' && 'max-sm:hidden',
                  'max-sm:before:me-2 max-sm:before:text-muted max-sm:before:content-[attr(data-head)]',
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
)
