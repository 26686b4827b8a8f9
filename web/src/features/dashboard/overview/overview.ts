import useSWR from 'swr'
import { client } from '../../../data/client.ts'

const shown = 5

/** The newest five that are not archived. */
export const useRecentModels = (providerId: string) => {
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(['recent-models', providerId], async () => {
    const { models } = await client.providers.models(providerId, { limit: shown })
    return models
  })
  return { models: data, failure: error as unknown, again: () => void ask() }
}

export const useRecentIncidents = (providerId: string) => {
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(['recent-incidents', providerId], async () => {
    const { incidents } = await client.incidents.list({ limit: shown })
    return incidents
  })
  return { incidents: data, failure: error as unknown, again: () => void ask() }
}

export const useUsage = (providerId: string) => {
  const { data, error, mutate: ask } = useSWR(['usage', providerId], () => client.account.usage())
  return { usage: data, failure: error as unknown, again: () => void ask() }
}

export type Period = '30' | '90'

/** Keeps the previous period until the next one has loaded. */
export const useVerificationsByDay = (providerId: string, days: Period, model_id: string | undefined) => {
  const key = ['verifications-by-day', providerId, days, model_id ?? null]
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(key, () => client.account.verificationsByDay({ days, ...(model_id !== undefined && { model_id }) }), {
    keepPreviousData: true,
  })
  return { counted: data, failure: error as unknown, again: () => void ask() }
}
