import type { NewVerification, Verification } from '@countersign/sdk/contract'
import useSWR, { mutate } from 'swr'
import { client } from '../../../data/client.ts'

const most = 2_000

/** The versions that can mint: all that are not archived. */
export const useMintableModels = (providerId: string) => {
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(['mintable-models', providerId], async () => {
    const models = await client.providers
      .models(providerId, { limit: 100, include_archived: 'true' })
      .toArray({ limit: most })
    return models.filter(({ archived_at }) => archived_at === null)
  })
  return { models: data, failure: error as unknown, again: () => void ask() }
}

const isOfLinks = (key: unknown) => Array.isArray(key) && ['usage', 'own-verifications-count'].includes(String(key[0]))

export const mintLink = async (input: NewVerification): Promise<Verification> => {
  const made = await client.verifications.create(input)
  void mutate(isOfLinks)
  return made
}
