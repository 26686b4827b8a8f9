import useSWR, { mutate } from 'swr'
import { client } from '../../../data/client.ts'

const key = 'attention'

/** What waits for the owner. The menu and the overview ask once together. */
export const useAttention = (providerId: string, isActive = true) => {
  const { data, error, mutate: ask } = useSWR(isActive ? [key, providerId] : null, () => client.account.attention())
  return { attention: data, failure: error as unknown, again: () => void ask() }
}

/** After something that may have waited was done. */
export const refreshAttention = () => mutate((each) => Array.isArray(each) && each[0] === key)
