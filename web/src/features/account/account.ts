import type {
  EmailProof,
  EmailRegistration,
  RegisteredProvider,
  SendVerification,
  Session,
  VerifiedEmail,
  VerifyEmail,
} from '@countersign/sdk/contract'
import { useEffect } from 'react'
import useSWR from 'swr'
import { client } from '../../data/client.ts'
import { log } from '../../data/log.ts'
import { isRegistered, refreshOwnProvider } from '../../data/provider.ts'
import { beginSession, hasCredentials, readSession, startAfresh } from '../../data/session.ts'
import { store } from '../../data/storage.ts'
import { isRefusal } from '../../failures/failure.ts'

/** From now on this browser acts as this session. */
export const keepSession = ({ token, provider_id, api_key }: Pick<Session, 'token' | 'provider_id' | 'api_key'>) =>
  beginSession({ token, providerId: provider_id, apiKey: api_key })

/** A session that has ended must not stand in the way of what needs none: by then it is forgotten, and the call is made without. */
const evenIfExpired = async <Answer>(call: () => PromiseLike<Answer>): Promise<Answer> => {
  const hadCredentials = hasCredentials(readSession())
  try {
    return await call()
  } catch (failure) {
    if (hadCredentials && isRefusal(failure, 'unauthorized') && !hasCredentials(readSession())) return call()
    throw failure
  }
}

export const signIn = async (details: { email: string; password: string }) => keepSession(await client.auth.login(details))

/** Answers the code with which the mail can be opened in another browser. */
export const signUp = async (details: EmailRegistration) => (await client.auth.register(details)).confirmation_code

/** The same for a registration without a password, which is chosen once the mail is answered. */
export const sendVerification = async (details: SendVerification) =>
  (await evenIfExpired(() => client.auth.sendVerification(details))).confirmation_code

export const askForNewPassword = (email: string) => client.auth.forgotPassword({ email })

/** Answers what is known of the account. Where a session begins with it, it is kept; one that was there learns what it proved. */
const keepVerified = async (verified: VerifiedEmail): Promise<VerifiedEmail> => {
  const { auth_token: token, api_key, provider_id } = verified
  if (token !== null && api_key !== null) keepSession({ token, api_key, provider_id })
  else await refreshOwnProvider()
  return verified
}

export const verifyWithLink = async (proof: EmailProof) => keepVerified(await evenIfExpired(() => client.auth.verify(proof)))

export const verifyWithCode = async (proof: VerifyEmail) => keepVerified(await evenIfExpired(() => client.auth.verifyEmail(proof)))

/** The account that a token of a mail opens; what the console knows itself is not asked again. */
export const usePasswordAccount = ({ token, providerId, email }: { token: string; providerId: string; email: string | null }) => {
  const { data, error, mutate } = useSWR(email === null ? ['password-account', token] : null, () => client.auth.passwordAccount({ token }))
  const opened = email !== null ? { email, providerId } : data && { email: data.email, providerId: data.provider_id }
  return { opened, failure: error as unknown, isAsking: opened === undefined && error === undefined, again: () => void mutate() }
}

/** Ends every session of the account and begins one here; nothing of whoever used this browser before is left. */
export const setPassword = async (details: { token: string; password: string }, email: string | null) => {
  const session = await client.auth.setPassword(details)
  startAfresh()
  keepSession(session)
  store('session_token', session.token)
  store('user_email', email)
}

/** Exchanges what the address of the callback page says for a session. Whether a service was connected by it, and whether there is a provider yet. */
export const completeSignIn = async (code: string): Promise<{ isLinked: boolean; isNew: boolean }> => {
  const session = await client.auth.exchange({ code })
  keepSession(session)
  // Where this fails, the page that it leads to says so.
  const isNew = await client.providers.me().then(
    (provider) => !isRegistered(provider),
    () => false,
  )
  return { isLinked: session.linked, isNew }
}

/** Leaves for another service to sign in there. */
export const startSignIn = (service: 'github' | 'google') => location.assign(`/api/v1/auth/${service}/login`)

/** Goes to connect another service to an account that is being set up. */
export const startLinking = (service: 'github' | 'google', { token, providerId }: { token: string; providerId: string }) => {
  store('linking_token', token)
  store('linking_provider_id', providerId)
  location.assign(`/api/v1/auth/${service}/link?token=${encodeURIComponent(token)}`)
}

export const endLinking = () => {
  store('linking_token', null)
  store('linking_provider_id', null)
}

/** Completes the registration of whoever is signed in. Without a session it would make another provider, so it does nothing. */
export const registerOwnProvider = async (details: {
  company_name: string
  email: string
  website: string
}): Promise<RegisteredProvider | 'signed-out'> => {
  if (!hasCredentials(readSession())) return 'signed-out'
  try {
    return await client.providers.register(details)
  } catch (failure) {
    if (isRefusal(failure, 'unauthorized')) return 'signed-out'
    throw failure
  }
}

/** Whether an address would prove a website's domain. Undefined: not known, and not worth a word. */
export const useDomainCheck = (pair: { email: string; website: string } | null) => {
  const { data, error } = useSWR(pair && ['domain-check', pair.email, pair.website], () =>
    client.auth.checkDomain(pair ?? { email: '', website: '' }),
  )
  useEffect(() => {
    if (error) log('Domain check failed', error)
  }, [error])
  return data
}

export const saveProfile = (providerId: string, profile: Parameters<typeof client.providers.setProfile>[1]) =>
  client.providers.setProfile(providerId, profile)
