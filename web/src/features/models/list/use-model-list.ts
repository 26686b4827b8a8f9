import type { ModelQuery } from '@countersign/sdk/contract'
import { client } from '../../../data/client.ts'
import { useList } from '../../../lists/use-list.ts'
import { type Filters, pageSize, useListKey } from '../../../lists/use-list-key.ts'

/** Public models of listed providers that match the filters. */
export const useModelList = (query: Filters<ModelQuery>) =>
  useList(useListKey('models', query), async (cursor) => {
    const page = await client.models.list({ ...query, limit: pageSize, ...(cursor !== null && { cursor }) })
    return { items: page.models, cursor: page.next_cursor }
  })
