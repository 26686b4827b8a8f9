import type { NewWorkload, Workload } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../../data/client.ts'

/** The platform identities that may stand for deployments. `changed` reloads what shows deployments. */
export const useOwnWorkloads = (providerId: string, changed: () => Promise<void>) => {
  const { data, error, mutate } = useSWR(['own-workloads', providerId], async () => {
    const { workloads, audience } = await client.workloads.list()
    return { workloads, audience }
  })
  const set = (next: (workloads: Workload[]) => Workload[]) =>
    mutate((known) => known && { ...known, workloads: next(known.workloads) }, { revalidate: false })
  return {
    list: data,
    failure: error as unknown,
    again: () => mutate(),
    trust: async (input: NewWorkload) => {
      const trusted = await client.workloads.trust(input)
      await set((known) => [...known, trusted])
      // Without a deployment, a new one was registered.
      await changed()
    },
    remove: async (id: string) => {
      await client.workloads.remove(id)
      await set((known) => known.filter((workload) => workload.id !== id))
    },
  }
}
