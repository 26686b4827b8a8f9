import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { currentOrNone } from '../../failures/giving-up.ts'
import { useList } from '../../lists/use-list.ts'

/** A public profile. Unknown, private and withdrawn ones get the same error. */
export const useProvider = (id: string) => {
  const { data, error, mutate } = useSWR(['provider', id], () => client.providers.get(id), currentOrNone)
  return { provider: data, failure: error as unknown, again: () => void mutate() }
}

/** The provider's listed models, newest first. */
export const useListedModels = (providerId: string | null) =>
  useList(providerId === null ? null : ['provider-models', providerId], async (cursor) => {
    const page = await client.models.list({ provider_id: providerId ?? '', ...(cursor !== null && { cursor }) })
    return { items: page.models, cursor: page.next_cursor }
  })
