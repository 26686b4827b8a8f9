import type { auth, IdentityProvider, SignedInSession } from '@countersign/sdk/contract'
import useSWR, { useSWRConfig } from 'swr'
import type { z } from 'zod'
import { client } from '../../../../data/client.ts'
import { ownProviderKey, useOwnProvider } from '../../../../data/provider.ts'
import { rememberTarget } from '../../../../data/redirect.ts'
import { keepSession } from '../../../account/account.ts'

/** The account's sessions. */
export const useOwnSessions = () => {
  const { data, error, mutate } = useSWR<SignedInSession[], unknown>(
    ['own-sessions'],
    async () => (await client.auth.sessions()).sessions,
  )
  const { provider } = useOwnProvider()
  const { mutate: mutateAny } = useSWRConfig()
  return {
    sessions: data,
    failure: error,
    again: () => mutate(),
    end: async (id: SignedInSession['id']) => {
      await client.auth.revokeSession(id)
      await mutate((known) => known?.filter((session) => session.id !== id), { revalidate: false })
    },
    /** Ends all other sessions and continues with a new one here. */
    changePassword: async (input: z.input<typeof auth.changePassword.body>) => {
      const session = await client.auth.changePassword(input)
      // The new session is for the same provider, so keep the page's data.
      if (provider)
        await mutateAny(
          [ownProviderKey, session.token],
          { ...provider, api_key: session.api_key },
          { revalidate: false },
        )
      keepSession(session)
      await mutate()
    },
  }
}

type Identities = z.infer<typeof auth.identities.response>

/** The services that can sign in to this account, and whether it has a password. */
export const useIdentities = () => {
  const { data, error, mutate } = useSWR<Identities, unknown>(['own-identities'], () => client.auth.identities())
  return {
    identities: data,
    failure: error,
    again: () => mutate(),
    changeEmail: async (input: { email: string; current_password?: string | undefined }) => {
      await client.account.changeEmail(input)
    },
    confirmEmail: async (code: string) => {
      const { email } = await client.account.confirmEmail({ code })
      await mutate((known) => known && { ...known, email }, { revalidate: false })
    },
    /** Redirects to the service, which returns to `target`. */
    connect: async (provider: IdentityProvider, target: string) => {
      const { url } = await client.auth.startLink({ provider })
      rememberTarget(target)
      location.assign(url)
    },
    disconnect: async (provider: IdentityProvider) => {
      await client.auth.unlink(provider)
      await mutate(
        (known) => known && { ...known, identities: known.identities.filter((one) => one.provider !== provider) },
        {
          revalidate: false,
        },
      )
    },
  }
}
