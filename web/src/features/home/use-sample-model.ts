import useSWR from 'swr'
import { client } from '../../data/client.ts'

/** A model that the operator chose, or demonstration data; null where there is none. Never whatever came last. */
export const useSampleModel = () =>
  useSWR(['sample-model'], async () => {
    const { models } = await client.models.list({ is_sample: 'true', limit: 1 })
    return models[0] ?? null
  }).data
