import type { Factor, factors } from '@countersign/sdk/contract'
import useSWR from 'swr'
import type { z } from 'zod'
import { securitySection } from '#messages/dashboard/security.ts'
import { client } from '../../../../data/client.ts'
import { createPasskey } from '../../../../data/passkeys.ts'
import { refreshOwnProvider } from '../../../../data/provider.ts'

/** An authenticator app that does not show its first code yet. */
export type NewApp = NonNullable<z.infer<typeof factors.begin.response>['totp']>
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
    beginApp: async (code?: string): Promise<NewApp> => {
      const { totp } = await client.factors.begin({ code, kind: 'totp' })
      if (totp === null) throw new Error('the registry began a passkey')
      return totp
    },
    addApp: (totp: { token: string; code: string }) =>
      andReload(client.factors.add({ name: securitySection.app.name, totp })),
    renewCodes: async () => (await andReload(client.factors.renewCodes({}))).recovery_codes,
    rename: ({ id }: Factor, name: string) => andReload(client.factors.rename(id, { name })),
    cancelRecovery: () => andReload(client.factors.cancelRecovery()),
    remove: ({ id }: Factor) => andReload(client.factors.remove(id)),
  }
}

export type OwnFactors = ReturnType<typeof useOwnFactors>
