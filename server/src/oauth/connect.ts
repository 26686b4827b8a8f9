import { type IdentityProvider, identityProviders, notFound, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { isAnywhereProtected } from '../db/factors.ts'
import { personOf } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Mail, MailService } from '../mail/service.ts'
import type { IdentityClients } from '../outbound/identity-providers.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { linkLifetimeMs, linkPathOf, providerNames, stateLifetimeMs } from './rules.ts'
import { deleteIdentities, findAccount, hasPassword, insertToken, listIdentities } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  clients: Pick<IdentityClients, 'issuers'>
  publicUrl: string
  now: () => number
}

/** What a link token stands for. */
export interface LinkData {
  provider: IdentityProvider
  session_id: string
  /** Whether the person proved presence when they asked for it. */
  isProven: boolean
}

/** Listing, connecting and disconnecting the identities of a signed-in person. */
export const createConnections = ({ database, events, mail, clients, publicUrl, now }: Deps) => {
  const emailPerson = async (tx: Tx, person_id: string, { subject, lines }: Pick<Mail, 'subject' | 'lines'>) => {
    const account = await findAccount(tx, person_id)
    if (!account) return
    const link = { link: `${publicUrl}/dashboard?tab=settings`, label: 'Open your settings' }
    await mail.queue(tx, { to: account.email, subject, lines: [...lines, link] })
  }

  return {
    emailPerson,

    async identities(caller: Caller) {
      const person_id = await personOf(database.read, caller)
      const [rows, has_password, person] = await Promise.all([
        listIdentities(database.read, person_id),
        hasPassword(database.read, person_id),
        findAccount(database.read, person_id),
      ])
      const identities = rows.flatMap(({ issuer, login, linked_at }) => {
        const provider = identityProviders.find((name) => clients.issuers[name] === issuer)
        return provider ? [{ provider, login, linked_at: new Date(linked_at).toISOString() }] : []
      })
      return { email: person?.email ?? null, identities, has_password }
    },

    /** Requires a browser session: an API key alone must not become a way to sign in. */
    async startLink({ person_id, session_id }: Caller, provider: IdentityProvider, cookies: Cookies) {
      if (person_id === null)
        throw new Refusal('forbidden', 'Connecting a service requires a session: sign in on the web.')
      const [token, cookie, at] = [newSecret(), newSecret(), now()]
      await database.transaction(async (tx) =>
        insertToken(tx, {
          hash: hashSecret(token),
          purpose: 'link',
          person_id,
          cookie_hash: hashSecret(cookie),
          // Then presence was proven for this call.
          data: { provider, session_id, isProven: await isAnywhereProtected(tx, person_id, at) },
          created_at: at,
          expires_at: at + linkLifetimeMs,
        }),
      )
      cookies.set('link', cookie, { maxAgeSeconds: (linkLifetimeMs + stateLifetimeMs) / 1_000 })
      return {
        linking_token: token,
        url: `${publicUrl}${linkPathOf(provider, token)}`,
        expires_at: new Date(at + linkLifetimeMs).toISOString(),
      }
    },

    /** This locks no one out: the owner of the mailbox can set a password. */
    async unlink(caller: Caller, provider: IdentityProvider) {
      const { provider_id, actor } = caller
      await database.transaction(async (tx) => {
        const person_id = await personOf(tx, caller)
        const removed = await deleteIdentities(tx, { person_id, issuer: clients.issuers[provider] })
        if (removed.length === 0) throw notFound()
        for (const { login } of removed)
          await events.record(tx, {
            provider_id,
            actor,
            action: 'identity.unlinked',
            subject: ['provider', provider_id],
            before: { provider, login },
          })
        await emailPerson(tx, person_id, {
          subject: `${providerNames[provider]} was disconnected from your account`,
          lines: [
            `You can no longer sign in with ${providerNames[provider]}. Your other ways to sign in and your current sessions still work.`,
            "If this wasn't you, set a new password now. That ends every session.",
          ],
        })
      })
      return { message: `${providerNames[provider]} was taken off your account`, provider }
    },
  }
}
