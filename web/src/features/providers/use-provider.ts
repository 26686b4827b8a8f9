import useSWR from 'swr'
import { client, keptCurrent } from '../../data/client.ts'
import { isNotFound } from '../../failures/failure.ts'
import { useList } from '../../lists/use-list.ts'

/** A public profile. Unknown, private and withdrawn ones get the same error. */
export const useProvider = (id: string) => {
  const { data, error, mutate } = useSWR(['provider', id], () => client.providers.get(id), keptCurrent)
  return { provider: isNotFound(error) ? undefined : data, failure: error as unknown, again: () => void mutate() }
}

/** The provider's listed models, newest first. */
export const useListedModels = (providerId: string | null) =>
  useList(
    providerId === null ? null : ['provider-models', providerId],
    async (cursor) => {
      const page = await client.models.list({ provider_id: providerId ?? '', ...(cursor !== null && { cursor }) })
      return { items: page.models, cursor: page.next_cursor }
    },
    { isReloadedOnReturn: true },
  )
