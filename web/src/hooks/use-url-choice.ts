import { useSearchParams } from 'react-router-dom'
import { changeQuery } from './change-query.ts'

/** A choice between a few values in the address; the first is the default. */
export const useUrlChoice = <Value extends string>(name: string, values: readonly [Value, ...Value[]]) => {
  const [params, setParams] = useSearchParams()
  const value = values.find((known) => known === params.get(name)) ?? values[0]
  const choose = (next: string) =>
    setParams(changeQuery(name, next === values[0] ? null : next), { preventScrollReset: true })
  return [value, choose] as const
}
