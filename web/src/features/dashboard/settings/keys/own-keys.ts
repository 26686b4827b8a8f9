import type { ApiKey, KeyReview, NewApiKey } from '@countersign/sdk/contract'
import useSWR, { mutate as mutateAnywhere } from 'swr'
import { client } from '../../../../data/client.ts'

/** The provider's API keys, including revoked ones. A key itself is never stored: `create` returns it once. */
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
    /** Since a time, or since it was created. Keys that it created are revoked with it. */
    compromise: async (id: ApiKey['id'], since: string | undefined) => {
      const { reviews } = await client.keys.compromise(id, { ...(since !== undefined && { since }) })
      await Promise.all([mutate(), mutateAnywhere(reviewsKey)])
      return reviews.length
    },
  }
}

const reviewsKey = ['own-key-reviews']

/** Changes by compromised keys, with the owner's decisions. */
export const useKeyReviews = () => {
  const { data, mutate } = useSWR<{ reviews: KeyReview[] }, unknown>(reviewsKey, () => client.keys.reviews())
  return {
    waiting: data?.reviews.filter(({ decision }) => decision === null) ?? [],
    decide: async (id: KeyReview['id'], decision: 'confirmed' | 'withdrawn') => {
      try {
        await client.keys.review(id, { decision })
      } finally {
        await mutate()
      }
    },
  }
}
