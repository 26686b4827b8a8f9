import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { currentOrNone } from '../../../failures/giving-up.ts'
import { useDebounced } from '../../../hooks/use-debounced.ts'

const suggestions = 8

/** Suggests providers while a name or domain is typed. */
export const useProviderSuggestions = (text: string) => {
  const typed = text.trim()
  const rested = useDebounced(typed, 300)
  const isRequested = typed !== '' && rested !== ''
  const { data } = useSWR(
    isRequested ? ['provider-suggestions', rested] : null,
    () => client.providers.list({ search: rested, sort: 'popularity', limit: suggestions }),
    { ...currentOrNone, keepPreviousData: true },
  )
  return isRequested ? data?.providers : undefined
}

/** The provider that the filter names. */
export const useFilterProvider = (id: string | null) =>
  useSWR(id === null ? null : ['provider', id], () => client.providers.get(id ?? ''), currentOrNone).data
