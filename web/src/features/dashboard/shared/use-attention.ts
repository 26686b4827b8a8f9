import useSWR, { mutate } from 'swr'
import { client } from '../../../data/client.ts'

const key = 'attention'

/** What needs the owner's attention. Menu and overview share one request. */
export const useAttention = (providerId: string, isActive = true) => {
  const { data, error, mutate: ask } = useSWR(isActive ? [key, providerId] : null, () => client.account.attention())
  return { attention: data, failure: error as unknown, again: () => void ask() }
}

/** Call after doing something that may have needed attention. */
export const refreshAttention = () => mutate((each) => Array.isArray(each) && each[0] === key)
