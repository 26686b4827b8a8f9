import type { AuthService } from '../auth/service.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NewId } from '../ids.ts'
import type { PeopleService } from '../people/service.ts'
import type { ProviderService } from '../providers/service.ts'
import type { SessionService } from '../sessions/service.ts'
import { codeInvalid, emailTaken } from './rules.ts'
import {
  findAccount,
  findProvider,
  forgetPending,
  markEmailVerified,
  type RegistrationRow,
  type TokenRow,
} from './store.ts'

interface Deps {
  events: EventRecorder
  providers: Pick<ProviderService, 'create'>
  people: Pick<PeopleService, 'own' | 'ownFirst'>
  sessions: Pick<SessionService, 'begin'>
  auth: Pick<AuthService, 'keepPassword' | 'beginSetup'>
  now: () => number
  newId: NewId
}

/** What happens once the mailbox is verified. */
export const createCompletion = ({ events, providers, people, sessions, auth, now, newId }: Deps) => {
  const completeRegistration = async (
    tx: Tx,
    registration: RegistrationRow,
    { userAgent, cookie }: { cookie: string } & Partial<Pick<Visitor, 'userAgent'>>,
  ) => {
    const { email, email_norm, company_name, website, password_hash } = registration
    if (await findAccount(tx, email_norm)) throw emailTaken()
    const session_id = newId('ses')
    const provider_id = await providers.create(tx, {
      email,
      actor: session_id,
      ...(company_name !== null && { company_name }),
      ...(website !== null && { website }),
    })
    await forgetPending(tx, { email_norm })
    const person_id = await people.own(tx, { provider_id, email, email_norm })
    const provider = await findProvider(tx, provider_id, now())
    const verified = {
      verified: true,
      email,
      provider_id,
      domain_verified: provider?.domain_verified_at != null,
    } as const
    if (password_hash === null) {
      const setup_token = await auth.beginSetup(tx, { person_id, cookie })
      return { ...verified, auth_token: null, api_key: null, needs_auth_setup: true, setup_token }
    }
    await auth.keepPassword(tx, { person_id, hash: password_hash })
    const { auth_token, api_key } = await sessions.begin(tx, {
      person_id,
      provider_id,
      userAgent: userAgent ?? null,
      id: session_id,
    })
    return { ...verified, auth_token, api_key, needs_auth_setup: false, setup_token: null }
  }

  const completeProvider = async (tx: Tx, provider_id: string, token: TokenRow, caller: Caller | undefined) => {
    const email_norm = token.email_norm ?? ''
    const owner = await findAccount(tx, email_norm)
    if (owner && owner.id !== provider_id) throw emailTaken()
    const proven = await markEmailVerified(tx, { id: provider_id, email_norm, at: now() })
    if (!proven) throw codeInvalid()
    await people.ownFirst(tx, { provider_id, email: proven.email ?? email_norm, email_norm })
    await forgetPending(tx, { email_norm })
    const actor = caller?.actor ?? 'visitor'
    await events.record(tx, { provider_id, actor, action: 'email.verified', subject: ['provider', provider_id] })
    const domain_verified = (await findProvider(tx, provider_id, now()))?.domain_verified_at != null
    const nothing = { auth_token: null, api_key: null, needs_auth_setup: false, setup_token: null }
    return { verified: true, email: proven.email ?? email_norm, provider_id, domain_verified, ...nothing } as const
  }

  return { completeRegistration, completeProvider }
}
