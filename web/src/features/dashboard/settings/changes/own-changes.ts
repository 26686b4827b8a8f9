import type { StagedChange, staged } from '@countersign/sdk/contract'
import useSWR, { useSWRConfig } from 'swr'
import type { z } from 'zod'
import { client } from '../../../../data/client.ts'

type Changes = z.infer<typeof staged.list.response>

/** Changes that wait for approval or take effect later. */
export const useOwnChanges = () => {
  const { data, error, mutate } = useSWR<Changes, unknown>(['own-changes'], () => client.changes.list())
  const { mutate: mutateAll } = useSWRConfig()
  /** An approval may change any list. */
  const andReload = async <Answer>(call: PromiseLike<Answer>): Promise<Answer> => {
    try {
      return await call
    } finally {
      await mutateAll(() => true)
    }
  }
  return {
    changes: data?.changes,
    failure: error,
    again: () => mutate(),
    approve: ({ id }: StagedChange) => andReload(client.changes.approve(id)),
    reject: ({ id }: StagedChange) => andReload(client.changes.reject(id)),
    cancel: ({ id }: StagedChange) => andReload(client.changes.cancel(id)),
  }
}
