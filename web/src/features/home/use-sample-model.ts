import useSWR from 'swr'
import { client, keptCurrent } from '../../data/client.ts'

/** The model chosen by the operator, or sample data; otherwise null. Never simply the newest. */
export const useSampleModel = () =>
  useSWR(
    ['sample-model'],
    async () => {
      const { models } = await client.models.list({ is_sample: 'true', limit: 1 })
      return models[0] ?? null
    },
    keptCurrent,
  ).data
