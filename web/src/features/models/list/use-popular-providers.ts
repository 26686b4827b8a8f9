import type { Model, PublicProvider } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { currentOrNone } from '../../../failures/giving-up.ts'

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
  const withModels = providers
    .filter(
      ({ domain_verified, public_models, trust_factors }) =>
        domain_verified && public_models > 0 && trust_factors.actively_used,
    )
    .slice(0, shownProviders)
  return (await Promise.all(withModels.map(newestOf))).flat()
}

/**
 * The most popular providers with a proven domain whose links people open, each with its newest model. Optional, so failures stay
 * silent.
 */
export const usePopularProviders = (isWanted: boolean) => {
  const { data, error } = useSWR<PopularProvider[], unknown>(isWanted ? ['popular-providers'] : null, askPopular, {
    ...currentOrNone,
    revalidateIfStale: false,
  })
  return error === undefined ? data : []
}
