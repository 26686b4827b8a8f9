import type { ApiKey, NewApiKey } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from './client.ts'

/** The provider's API keys, revoked ones too. A key itself is never kept: `create` answers it once, to whoever asked. */
export const useOwnKeys = () => {
  const { data, error, mutate } = useSWR<ApiKey[], unknown>(['own-keys'], () => client.keys.list())
  return {
    keys: data,
    failure: error,
    again: () => mutate(),
    create: async (input: NewApiKey): Promise<string> => {
      const { api_key, ...made } = await client.keys.create(input)
      await mutate((known) => known && [made, ...known], { revalidate: false })
      return api_key
    },
    revoke: async (id: ApiKey['id']) => {
      const revoked = await client.keys.revoke(id)
      await mutate((known) => known?.map((key) => (key.id === id ? revoked : key)), { revalidate: false })
    },
  }
}
