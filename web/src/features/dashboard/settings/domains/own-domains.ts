import type { Domain, DomainList, DomainMethod } from '@countersign/sdk/contract'
import useSWR from 'swr'
import { client } from '../../../../data/client.ts'
import { refreshOwnProvider } from '../../../../data/provider.ts'

/** The provider's domains, proven or not. */
export const useOwnDomains = () => {
  const { data, error, mutate } = useSWR<DomainList, unknown>(['own-domains'], () => client.domains.list())
  /** Every dashboard page shows the primary domain, so reload the provider. */
  const refresh = async () => {
    await Promise.all([mutate(), refreshOwnProvider()])
  }
  return {
    list: data,
    failure: error,
    again: () => mutate(),
    refresh,
    add: async (domain: string): Promise<Domain> => {
      const added = await client.domains.add({ domain })
      await mutate()
      return added
    },
    verify: (domain: string, method: DomainMethod) => client.domains.verify(domain, { method }),
    remove: async (domain: string) => {
      const removed = await client.domains.remove(domain)
      await refresh()
      return removed
    },
    makePrimary: async (domain: string) => {
      const changed = await client.domains.makePrimary(domain, {})
      await refresh()
      return changed
    },
  }
}
