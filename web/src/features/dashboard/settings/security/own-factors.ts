import type { Factor, factors } from '@countersign/sdk/contract'
import useSWR from 'swr'
import type { z } from 'zod'
import { client } from '../../../../data/client.ts'
import { createPasskey } from '../../../../data/passkeys.ts'
import { refreshOwnProvider } from '../../../../data/provider.ts'

type Factors = z.infer<typeof factors.list.response>

/** The passkeys of the signed-in person. */
export const useOwnFactors = () => {
  const { data, error, mutate } = useSWR<Factors, unknown>(['own-factors'], () => client.factors.list())
  const andReload = async <Answer>(call: PromiseLike<Answer>): Promise<Answer> => {
    try {
      return await call
    } finally {
      await Promise.all([mutate(), refreshOwnProvider()])
    }
  }
  return {
    list: data,
    failure: error,
    again: () => mutate(),
    sendCode: () => client.factors.sendCode({}),
    add: async ({ name, code }: { name: string; code?: string | undefined }) => {
      const { options } = await client.factors.begin({ code })
      const passkey = await createPasskey(options)
      return andReload(client.factors.add({ name, passkey }))
    },
    renewCodes: async () => (await andReload(client.factors.renewCodes({}))).recovery_codes,
    rename: ({ id }: Factor, name: string) => andReload(client.factors.rename(id, { name })),
    cancelRecovery: () => andReload(client.factors.cancelRecovery()),
    remove: ({ id }: Factor) => andReload(client.factors.remove(id)),
  }
}

export type OwnFactors = ReturnType<typeof useOwnFactors>
