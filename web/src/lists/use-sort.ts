import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { changeQuery } from '../hooks/change-query.ts'
import { nextSort, readSort, type Sort, sortOf, textOf } from './sorting.ts'

/** The order of a list, in the address. `descending` names the columns whose first order is descending. */
export const useSort = (columns: readonly string[], usual: Sort, descending: readonly string[] = []) => {
  const [params, setParams] = useSearchParams()
  const text = textOf(readSort(params.get('sort'), columns, usual))
  const sort = useMemo(() => sortOf(text), [text])
  const chooseSort = (next: string) =>
    setParams(changeQuery('sort', next === textOf(usual) ? null : next), { preventScrollReset: true })
  return {
    sort,
    chooseSort,
    /** By this column, or the other way around. */
    sortBy: (column: string) => chooseSort(textOf(nextSort(sort, column, descending.includes(column)))),
  }
}
