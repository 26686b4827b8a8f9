import { Email, type IdentityProvider, mailboxOf, Refusal, type SignInError } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import type { Database } from '../db/engine.ts'
import { isAnywhereProtected } from '../db/factors.ts'
import { findPersonAt } from '../db/people.ts'
import { failureOf } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NoteFamiliar } from '../http/rate-limits.ts'
import type { MailService } from '../mail/service.ts'
import type { IdentityClients, Person } from '../outbound/identity-providers.ts'
import type { PeopleService } from '../people/service.ts'
import type { ProviderService } from '../providers/service.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { SessionService } from '../sessions/service.ts'
import { createConnections, type LinkData } from './connect.ts'
import {
  decideSignIn,
  handOffLifetimeMs,
  proofsOf,
  providerNames,
  type SignInDecision,
  stateLifetimeMs,
} from './rules.ts'
import {
  findAccount,
  findIdentityOwner,
  findSetup,
  insertIdentity,
  insertToken,
  takeSetup,
  takeToken,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  sessions: SessionService
  providers: Pick<ProviderService, 'create'>
  people: PeopleService
  mail: Pick<MailService, 'queue'>
  clients: IdentityClients
  noteFamiliar: NoteFamiliar
  publicUrl: string
  now: () => number
}

/** What allows an identity to be linked. */
interface Permit {
  person_id: string
  /** The hash of the browser's cookie `link`. */
  cookie_hash: string
  /** The session that requested it; it must still be valid at the end. */
  session_id?: string
  /** Whether it was requested with presence. */
  isProven?: boolean
  /** The setup token that allows it; it is used up at the end. */
  setup_hash?: string
}

interface Attempt {
  provider: IdentityProvider
  permit?: Permit
}

export type Ended = { token: string; linked: boolean } | { error: SignInError }

export const createOauthService = ({
  database,
  events,
  sessions,
  providers,
  people,
  mail,
  clients,
  noteFamiliar,
  publicUrl,
  now,
}: Deps) => {
  const { emailPerson, ...connections } = createConnections({ database, events, mail, clients, publicUrl, now })

  /** Sends the browser to the identity provider, with a cookie that the answer requires. */
  const begin = async (attempt: Attempt, cookies: Cookies): Promise<{ url: string } | { error: SignInError }> => {
    const client = clients.find(attempt.provider)
    if (!client) return { error: 'not_configured' }
    const [cookie, state] = [newSecret(), newSecret()]
    const authorization = await client.authorize(proofsOf({ cookie, state }))
    if ('failure' in authorization) return { error: authorization.failure }
    const at = now()
    await database.transaction((tx) =>
      insertToken(tx, {
        hash: hashSecret(state),
        purpose: 'oauth_state',
        person_id: attempt.permit?.person_id ?? null,
        cookie_hash: hashSecret(cookie),
        data: attempt,
        created_at: at,
        expires_at: at + stateLifetimeMs,
      }),
    )
    cookies.set('oauth', cookie, { maxAgeSeconds: stateLifetimeMs / 1_000 })
    return authorization
  }

  /** A link token is used up here; a setup token only once something is linked, so that declining does not cost it. */
  const findPermit = async (
    provider: IdentityProvider,
    token: string,
    cookies: Cookies,
  ): Promise<Permit | undefined> => {
    const cookie = cookies.read('link')
    if (cookie === undefined) return undefined
    const of = { hash: hashSecret(token), cookie_hash: hashSecret(cookie), at: now() }
    const taken = await database.transaction((tx) => takeToken<LinkData>(tx, { ...of, purpose: 'link' }))
    const { cookie_hash } = of
    if (taken) {
      if (taken.person_id === null || taken.data.provider !== provider) return undefined
      const { session_id, isProven } = taken.data
      return { person_id: taken.person_id, cookie_hash, session_id, isProven }
    }
    const setup = await findSetup(database.read, of)
    return setup?.person_id ? { person_id: setup.person_id, cookie_hash, setup_hash: of.hash } : undefined
  }

  /** Both sides must be verified, and the permission to link must still be valid. A setup token is used up by it. */
  const redeemPermit = async (tx: Tx, { person_id, session_id, isProven, setup_hash }: Permit): Promise<boolean> => {
    const at = now()
    if (!(await findAccount(tx, person_id))) return false
    if (session_id !== undefined) {
      // Requested before the person or one of their companies was protected.
      if (!isProven && (await isAnywhereProtected(tx, person_id, at))) return false
      return sessions.hold(tx, { person_id, id: session_id })
    }
    return setup_hash !== undefined && (await takeSetup(tx, { hash: setup_hash, person_id, at })) !== undefined
  }

  const decide = async (tx: Tx, person: Person, linkTo: string | null): Promise<SignInDecision> => {
    const emailOwner = person.email === null ? undefined : await findPersonAt(tx, mailboxOf(person.email))
    // Checked last: a concurrent first sign-in created account and identity together, and is found here.
    const owner = await findIdentityOwner(tx, person)
    return decideSignIn({
      linkTo,
      owner: owner?.person_id ?? null,
      email: person.email,
      emailOwner: emailOwner?.id ?? null,
    })
  }

  const emailOwner = (tx: Tx, { provider, person, person_id }: NewLink) => {
    const name = providerNames[provider]
    return emailPerson(tx, person_id, {
      subject: `${name} was connected to your account`,
      lines: [
        `Someone can now sign in to your account as this ${name} user:`,
        { identity: quoteExactly(person.login ?? person.subject) },
        `If this wasn't you, disconnect ${name} and set a new password. That ends every session.`,
      ],
    })
  }

  const link = async (tx: Tx, { provider, person, person_id, actor }: NewLink) => {
    const provider_id = (await findAccount(tx, person_id))?.provider_id
    if (provider_id === undefined) throw new Error(`${person_id} is not a member`)
    await insertIdentity(tx, { ...person, person_id, linked_at: now() })
    await events.record(tx, {
      provider_id,
      actor,
      action: 'identity.linked',
      subject: ['provider', provider_id],
      after: { provider, login: person.login },
    })
  }

  const carryOut = async (
    tx: Tx,
    decision: Exclude<SignInDecision, { error: unknown }>,
    made: Omit<NewLink, 'person_id'>,
  ) => {
    switch (decision.do) {
      case 'sign_in':
        return decision.person_id
      case 'link':
        await link(tx, { ...made, person_id: decision.person_id })
        await emailOwner(tx, { ...made, person_id: decision.person_id })
        return decision.person_id
      case 'create': {
        const provider_id = await providers.create(tx, {
          email: decision.email,
          emailVouchedBy: made.provider,
          actor: made.actor,
        })
        const email_norm = mailboxOf(decision.email)
        const owned = { provider_id, email: decision.email, email_norm, vouchedBy: made.provider }
        const person_id = await people.own(tx, owned)
        await link(tx, { ...made, person_id })
        return person_id
      }
      default:
        return decision satisfies never
    }
  }

  /**
   * In one transaction: finds the owner of the identity, applies the consequences, and creates the code with which the browser fetches
   * its session.
   */
  const settle = async (
    tx: Tx,
    { provider, permit }: Attempt,
    person: Person,
  ): Promise<Settled | { error: SignInError }> => {
    const decision = await decide(tx, person, permit?.person_id ?? null)
    if ('error' in decision) return decision
    if (permit && !(await redeemPermit(tx, permit))) return { error: 'link_expired' }
    const person_id = await carryOut(tx, decision, { provider, person, actor: permit?.session_id ?? 'visitor' })
    const [token, cookie, linked, at] = [newSecret(), newSecret(), permit !== undefined, now()]
    await insertToken(tx, {
      hash: hashSecret(token),
      purpose: 'hand_off',
      person_id,
      cookie_hash: hashSecret(cookie),
      data: { linked },
      created_at: at,
      expires_at: at + handOffLifetimeMs,
    })
    return { token, cookie, linked }
  }

  /** Two first sign-ins of one person race: the constraints let one through, and the other finds what it created. */
  const settleOnce = (attempt: Attempt, person: Person) => {
    const run = () => database.transaction((tx) => settle(tx, attempt, person))
    return run().catch((error) => {
      if (failureOf(error) === 'unique') return run()
      throw error
    })
  }

  return {
    login: (provider: IdentityProvider, cookies: Cookies) => begin({ provider }, cookies),

    async link(
      provider: IdentityProvider,
      token: string | undefined,
      cookies: Cookies,
    ): Promise<{ url: string } | { error: SignInError }> {
      if (!clients.find(provider)) return { error: 'not_configured' }
      const permit = token ? await findPermit(provider, token, cookies) : undefined
      return permit ? begin({ provider, permit }, cookies) : { error: 'link_expired' }
    },

    /** `callback` is the address as the browser called it. Only the browser that began the attempt can complete it, once. */
    async finish(provider: IdentityProvider, callback: URL, cookies: Cookies): Promise<Ended> {
      const [state, ...others] = callback.searchParams.getAll('state')
      const cookie = cookies.read('oauth')
      if (!state || others.length > 0 || !cookie) return { error: 'sign_in_expired' }
      const taken = await database.transaction((tx) =>
        takeToken<Attempt>(tx, {
          purpose: 'oauth_state',
          hash: hashSecret(state),
          cookie_hash: hashSecret(cookie),
          at: now(),
        }),
      )
      const client = clients.find(provider)
      if (!taken || !client || taken.data.provider !== provider) return { error: 'sign_in_expired' }
      cookies.clear('oauth')
      const { permit } = taken.data
      if (permit && hashSecret(cookies.read('link') ?? '') !== permit.cookie_hash) return { error: 'link_expired' }
      const answer = await client.identify(callback, proofsOf({ cookie, state }))
      if ('failure' in answer) return { error: answer.failure }
      const settled = await settleOnce(taken.data, withGoodEmail(answer.person))
      if ('error' in settled) return settled
      cookies.set('hand_off', settled.cookie, { maxAgeSeconds: handOffLifetimeMs / 1_000, sameSite: 'strict' })
      if (permit) cookies.clear('link')
      return { token: settled.token, linked: settled.linked }
    },

    async exchange(code: string, { cookies, userAgent, address }: Visitor) {
      const cookie = cookies.read('hand_off')
      const answer = await database.transaction(async (tx) => {
        const taken =
          cookie &&
          (await takeToken<{ linked: boolean }>(tx, {
            purpose: 'hand_off',
            hash: hashSecret(code),
            cookie_hash: hashSecret(cookie),
            at: now(),
          }))
        const account = taken && taken.person_id !== null && (await findAccount(tx, taken.person_id))
        if (!account)
          throw new Refusal(
            'code_invalid',
            'This sign-in was already completed, or took too long. Please sign in again.',
          )
        const { person_id, provider_id, email } = account
        await noteFamiliar(tx, { address, email })
        return { ...(await sessions.begin(tx, { person_id, provider_id, userAgent })), linked: taken.data.linked }
      })
      cookies.clear('hand_off')
      return answer
    },

    ...connections,
  }
}

interface NewLink {
  provider: IdentityProvider
  person: Person
  person_id: string
  actor: string
}

interface Settled {
  token: string
  linked: boolean
  /** The browser gets it separately from the token. */
  cookie: string
}

/** An address that our rules reject is treated as missing. */
const withGoodEmail = (person: Person): Person => ({ ...person, email: Email.safeParse(person.email).data ?? null })

export type OauthService = ReturnType<typeof createOauthService>
