import type { NewPublisher, Publisher, PublisherList } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../../data/client.ts'

/** The workflows that may publish without a key. */
export const useOwnPublishers = () => {
  const { data, error, mutate } = useSWR<PublisherList, unknown>(['own-publishers'], () => client.publishers.list())
  return {
    list: data,
    failure: error,
    again: () => mutate(),
    add: async (input: NewPublisher) => {
      const added = await client.publishers.add(input)
      await mutate(
        (known) => known && { ...known, publishers: [...known.publishers.filter(({ id }) => id !== added.id), added] },
        {
          revalidate: false,
        },
      )
    },
    remove: async (id: Publisher['id']) => {
      await client.publishers.remove(id)
      await mutate(
        (known) => known && { ...known, publishers: known.publishers.filter((publisher) => publisher.id !== id) },
        {
          revalidate: false,
        },
      )
    },
  }
}
