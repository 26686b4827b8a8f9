import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { currentOrNone } from '../../failures/giving-up.ts'

/** The model chosen by the operator, or sample data; otherwise null. Never simply the newest. */
export const useSampleModel = () =>
  useSWR(
    ['sample-model'],
    async () => {
      const { models } = await client.models.list({ is_sample: 'true', limit: 1 })
      return models[0] ?? null
    },
    currentOrNone,
  ).data
