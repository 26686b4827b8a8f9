import type { Model, ModelQuery, ProviderQuery, PublicProvider } from '@countersign/sdk/contract'
import { useLocation } from 'react-router-dom'
import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { useDebounced } from '../../hooks/use-debounced.ts'
import { useList } from '../../lists/use-list.ts'

type Filters<Query> = Partial<Omit<Query, 'limit' | 'skip' | 'cursor' | 'is_active' | 'is_sample'>>

const pageSize = 50

/** Each place in the history of the tab has its own list: who comes back finds it as it was, who comes anew gets a new one. */
const useListKey = (name: string, query: object) => [name, useLocation().key, query]

/** Listed providers, as the filters say. */
export const useProviderList = (query: Filters<ProviderQuery>) =>
  useList(useListKey('providers', query), async (cursor) => {
    const page = await client.providers.list({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
    return { items: page.providers, cursor: page.next_cursor }
  })

/** Public models of listed providers, as the filters say. */
export const useModelList = (query: Filters<ModelQuery>) =>
  useList(useListKey('models', query), async (cursor) => {
    const page = await client.models.list({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
    return { items: page.models, cursor: page.next_cursor }
  })

const firstProviders = 6
const shownProviders = 3

export interface PopularProvider {
  provider: PublicProvider
  newest: Model
}

const newestOf = async (provider: PublicProvider): Promise<PopularProvider[]> => {
  const { models } = await client.models.list({ provider_id: provider.id, sort: 'date', limit: 1 })
  return models.map((newest) => ({ provider, newest }))
}

const askPopular = async () => {
  const { providers } = await client.providers.list({ sort: 'popularity', limit: firstProviders })
  const withModels = providers.filter(({ domain_verified, public_models }) => domain_verified && public_models > 0).slice(0, shownProviders)
  return (await Promise.all(withModels.map(newestOf))).flat()
}

/** The most popular providers of those whose domain is proven, each with its newest model. A page is whole without them: failures stay silent. */
export const usePopularProviders = (isWanted: boolean) => {
  const { data, error } = useSWR<PopularProvider[], unknown>(isWanted ? ['popular-providers'] : null, askPopular, {
    revalidateIfStale: false,
  })
  return error === undefined ? data : []
}

const suggestions = 8

/** Providers to choose from while a name or a domain is typed. */
export const useProviderSuggestions = (text: string) => {
  const typed = text.trim()
  const rested = useDebounced(typed, 300)
  const isAsked = typed !== '' && rested !== ''
  const { data } = useSWR(
    isAsked ? ['provider-suggestions', rested] : null,
    () => client.providers.list({ search: rested, sort: 'popularity', limit: suggestions }),
    { keepPreviousData: true },
  )
  return isAsked ? data?.providers : undefined
}

/** The provider that a filter names. */
export const useFilterProvider = (id: string | null) =>
  useSWR(id === null ? null : ['provider', id], () => client.providers.get(id ?? '')).data

/** A model that the operator chose, or demonstration data; null where there is none. Never whatever came last. */
export const useSampleModel = () =>
  useSWR(['sample-model'], async () => {
    const { models } = await client.models.list({ is_sample: 'true', limit: 1 })
    return models[0] ?? null
  }).data
