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
import { answerWithPasskey } from '../../data/passkeys.ts'
import { isRegistered, refreshOwnProvider } from '../../data/provider.ts'
import { beginSession, hasCredentials, readSession, startAfresh } from '../../data/session.ts'
import { store } from '../../data/storage.ts'
import { isRefusal } from '../../failures/failure.ts'

/** Makes this browser use the given session. */
export const keepSession = ({ token, provider_id, api_key }: Pick<Session, 'token' | 'provider_id' | 'api_key'>) =>
  beginSession({ token, providerId: provider_id, apiKey: api_key })

/** An expired session must not block requests that need none: forget it and retry without. */
const evenIfExpired = async <Answer>(call: () => PromiseLike<Answer>): Promise<Answer> => {
  const hadCredentials = hasCredentials(readSession())
  try {
    return await call()
  } catch (failure) {
    if (hadCredentials && isRefusal(failure, 'unauthorized') && !hasCredentials(readSession())) return call()
    throw failure
  }
}

export const signIn = async (details: { email: string; password: string }) =>
  keepSession(await client.auth.login(details))

export const signInWithPasskey = async () => {
  const { options } = await client.factors.beginSignIn({})
  keepSession(await client.factors.signIn({ passkey: await answerWithPasskey(options) }))
}

/** Returns the code for opening the email in another browser. */
export const signUp = async (details: EmailRegistration) => (await client.auth.register(details)).confirmation_code

/** Registers without a password, which is chosen after the email is confirmed. */
export const sendVerification = async (details: SendVerification) =>
  (await evenIfExpired(() => client.auth.sendVerification(details))).confirmation_code

export const askForNewPassword = (email: string) => client.auth.forgotPassword({ email })

/** Returns what is known about the account. Stores a session that starts here; updates an existing one with what was proven. */
const keepVerified = async (verified: VerifiedEmail): Promise<VerifiedEmail> => {
  const { auth_token: token, api_key, provider_id } = verified
  if (token !== null && api_key !== null) keepSession({ token, api_key, provider_id })
  else await refreshOwnProvider()
  return verified
}

export const verifyWithLink = async (proof: EmailProof) =>
  keepVerified(await evenIfExpired(() => client.auth.verify(proof)))

export const verifyWithCode = async (proof: VerifyEmail) =>
  keepVerified(await evenIfExpired(() => client.auth.verifyEmail(proof)))

/** The account of a token from an email. */
export const usePasswordAccount = ({
  token,
  providerId,
  email,
}: {
  token: string
  providerId: string
  email: string | null
}) => {
  const { data, error, mutate } = useSWR(email === null ? ['password-account', token] : null, () =>
    client.auth.passwordAccount({ token }),
  )
  const opened = email !== null ? { email, providerId } : data && { email: data.email, providerId: data.provider_id }
  return {
    opened,
    failure: error as unknown,
    isAsking: opened === undefined && error === undefined,
    again: () => void mutate(),
  }
}

/** Ends every session of the account, starts one here, and removes everything of this browser's previous user. */
export const setPassword = async (details: { token: string; password: string }, email: string | null) => {
  const session = await client.auth.setPassword(details)
  startAfresh()
  keepSession(session)
  store('session_token', session.token)
  store('user_email', email)
}

/** Exchanges the callback page's code for a session. Returns whether a service was connected and whether the provider exists. */
export const completeSignIn = async (code: string): Promise<{ isLinked: boolean; isNew: boolean }> => {
  const session = await client.auth.exchange({ code })
  keepSession(session)
  // If this fails, the page it leads to shows the error.
  const isNew = await client.providers.me().then(
    (provider) => !isRegistered(provider),
    () => false,
  )
  return { isLinked: session.linked, isNew }
}

/** Redirects to another service to sign in there. */
export const startSignIn = (service: 'github' | 'google') => location.assign(`/api/v1/auth/${service}/login`)

/** Redirects to another service to connect it to an account that is being set up. */
export const startLinking = (
  service: 'github' | 'google',
  { token, providerId }: { token: string; providerId: string },
) => {
  store('linking_token', token)
  store('linking_provider_id', providerId)
  location.assign(`/api/v1/auth/${service}/link?token=${encodeURIComponent(token)}`)
}

export const endLinking = () => {
  store('linking_token', null)
  store('linking_provider_id', null)
}

/** Completes the signed-in user's registration. Does nothing without a session, because that would create a second provider. */
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

/** Whether the email address matches the website's domain; undefined if not known. */
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
