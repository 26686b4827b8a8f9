import type { ProviderQuery } from '@countersign/sdk/contract'
import { client } from '../../data/client.ts'
import { useList } from '../../lists/use-list.ts'
import { type Filters, pageSize, useListKey } from '../../lists/use-list-key.ts'

/** Listed providers that match the filters. */
export const useProviderList = (query: Filters<ProviderQuery>) =>
  useList(useListKey('providers', query), async (cursor) => {
    const page = await client.providers.list({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
    return { items: page.providers, cursor: page.next_cursor }
  })
