import type { IssuedVerification } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../data/client.ts'
import { useList } from '../../../lists/use-list.ts'

const pageSize = 50

interface LinkChoice {
  model_id?: string | undefined
  sort: 'created' | '-created'
}

/** The provider's links by time, and how many there are. */
export const useOwnVerifications = (query: LinkChoice) => {
  const { model_id } = query
  const list = useList<IssuedVerification>(
    ['own-verifications', query],
    async (cursor) => {
      const page = await client.account.verifications({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
      return { items: page.verifications, cursor: page.next_cursor }
    },
    { isReloaded: true, isKept: true },
  )
  const { data } = useSWR(['own-verifications-count', model_id], async () => {
    const { total, total_is_lower_bound } = await client.account.verifications({ model_id, limit: 1 })
    return { total, isMore: total_is_lower_bound }
  })
  return { list, count: data }
}

/** All links, page by page. */
export const readVerifications = (query: LinkChoice) => client.account.verifications({ ...query, limit: 100 })

/** The models to filter by: every version, including archived ones, because their links are listed. */
export const useModelNames = (providerId: string) =>
  useSWR(
    ['own-model-names', providerId],
    () => client.providers.models(providerId, { limit: 100, include_archived: 'true' }).toArray(),
    { refreshInterval: 0 },
  ).data
