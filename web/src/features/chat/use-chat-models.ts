import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { knownProviders } from '../../data/known-providers.ts'
import { currentOrSaid } from '../../failures/giving-up.ts'

const ofProvider = 20

/** Active public models of the known providers, by proven domain; otherwise of any provider. */
export const useChatModels = () => {
  const { data, error, mutate } = useSWR('chat-models', askModels, currentOrSaid)
  return { models: data, failure: error as unknown, again: () => void mutate() }
}

const askModels = async () => {
  const named = await Promise.all(
    knownProviders.filter(({ isInChat }) => isInChat).map(({ domain }) => listModelsOf(domain)),
  )
  const found = named.flat()
  if (found.length > 0) return found
  return (await client.models.list({ is_active: 'true', limit: ofProvider })).models
}

const listModelsOf = async (domain: string) => {
  const { providers } = await client.providers.list({ search: domain, verification: 'verified', limit: 10 })
  const provider = providers.find((candidate) => candidate.domain_verified && candidate.domain === domain)
  if (provider === undefined) return []
  return (await client.models.list({ provider_id: provider.id, is_active: 'true', limit: ofProvider })).models
}
