/** The order of a list: a column, ascending or descending. In the address, `name` or `-name`. */
export interface Sort {
  column: string
  isDescending: boolean
}

/** The usual order of lists that the registry sends page by page. */
export const newestFirst: Sort = { column: 'created', isDescending: true }

export const sortOf = (text: string): Sort => ({
  column: text.replace(/^-/, ''),
  isDescending: text.startsWith('-'),
})

export const textOf = ({ column, isDescending }: Sort) => (isDescending ? `-${column}` : column)

/** The sort in the address, or the default if its column is unknown. */
export const readSort = (text: string | null, columns: readonly string[], usual: Sort): Sort => {
  const sort = sortOf(text ?? '')
  return columns.includes(sort.column) ? sort : usual
}

/** The order after pressing a column's heading: the other direction, or this column in its usual one. */
export const nextSort = (now: Sort, column: string, startsDescending = false): Sort =>
  now.column === column ? { column, isDescending: !now.isDescending } : { column, isDescending: startsDescending }

/** The page named in the address, from 1; never past the last one if the count is known. */
export const readPage = (text: string | null, count: number | undefined, size: number): number => {
  const page = /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1
  return count === undefined ? page : Math.min(page, Math.max(1, Math.ceil(count / size)))
}
