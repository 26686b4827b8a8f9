import { checkOwnProvider, type NotificationSettings, notFound, Refusal } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { AuthService } from '../auth/service.ts'
import type { Database } from '../db/engine.ts'
import { isProtected } from '../db/factors.ts'
import { forgetHours } from '../db/health.ts'
import type { LinkState } from '../db/links.ts'
import { lockProvider } from '../db/lock.ts'
import type { Flag, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Asked, DelayService } from '../delays/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { MailService } from '../mail/service.ts'
import type { PeopleService } from '../people/service.ts'
import type { Listings } from '../search/listings.ts'
import {
  eraseAddress,
  erasePerson,
  eraseProvider,
  eraseSomeLinks,
  findAccount,
  findPerson,
  forgetHealth,
  listProvidersOf,
  listUnerased,
  markErased,
  setDeactivated,
} from './erasure-store.ts'
import {
  countOpenings,
  countVerifications,
  findNotifications,
  listEvents,
  listMostOpened,
  listOpeningsByDay,
  listVerifications,
  type Summarize,
  setNotifications,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'alert' | 'queue'>
  auth: Pick<AuthService, 'checkIsOwner'>
  listings: Pick<Listings, 'providerChanged'>
  people: Pick<PeopleService, 'adopt' | 'companyLines' | 'listOwned'>
  delays: Pick<DelayService, 'schedule'>
  /** What a link says now, the same in the list and on its own page. */
  summaryOf: (row: LinkState, now: number) => ReturnType<Summarize>
  now: () => number
}

type VerificationQuery = Parameters<typeof listVerifications>[2]
type Erasure = { current_password?: string | undefined }
type EventQuery = Parameters<typeof listEvents>[2]
type Choice = { [Name in keyof NotificationSettings]?: boolean | undefined }

const dayMs = 24 * 3_600_000
const mostModels = 100
const eraseBatch = 500

const flagOf = (value: boolean | undefined): Flag | undefined => (value === undefined ? undefined : value ? 1 : 0)

/** What belongs to the account rather than to its public profile: its links, audit trail, emails and deletion. */
export const createAccountService = ({
  database,
  events,
  mail,
  auth,
  listings,
  people,
  delays,
  summaryOf,
  now,
}: Deps) => {
  const notifications = async (caller: Caller): Promise<NotificationSettings> => {
    const row = await findNotifications(database.read, caller.provider_id)
    if (!row) throw notFound()
    return {
      incident_reported: row.notify_incidents === 1,
      weekly_reports: row.notify_weekly === 1,
      security_alerts: row.notify_security === 1,
    }
  }

  /** Idempotent. */
  const setActive = async (caller: Caller, provider_id: string, isActive: boolean) => {
    checkOwnProvider(caller, provider_id)
    await database.transaction(async (tx) => {
      if (!(await setDeactivated(tx, { id: provider_id, at: now(), isActive }))) return
      if (isActive) {
        await forgetHealth(tx, provider_id)
        await forgetHours(tx, { provider_id })
      }
      const isConfirmed = isActive && caller.isSuspended
      await listings.providerChanged(tx, provider_id)
      await events.record(tx, {
        provider_id,
        actor: caller.actor,
        action: isConfirmed ? 'provider.confirmed' : isActive ? 'provider.reactivated' : 'provider.deactivated',
        subject: ['provider', provider_id],
        before: { is_active: !isActive },
        after: { is_active: isActive },
      })
    })
  }

  const remove = async (tx: Tx, actor: string, provider_id: string) => {
    const account = await findAccount(tx, provider_id)
    if (!account) throw notFound()
    // While its name is still known: other providers with that name may now be listed.
    await setDeactivated(tx, { id: provider_id, at: now(), isActive: false })
    await listings.providerChanged(tx, provider_id)
    const members = await eraseProvider(tx, { id: provider_id, at: now() })
    if (account.email_norm !== null && account.email_verified_at !== null) await eraseAddress(tx, account.email_norm)
    await events.record(tx, { provider_id, actor, action: 'provider.deleted', subject: ['provider', provider_id] })
    await people.adopt(tx, members)
  }

  return {
    notifications,

    async verifications({ provider_id }: Caller, query: VerificationQuery) {
      const [page, counted] = await Promise.all([
        listVerifications(database.read, provider_id, query, (row) => summaryOf(row, now())),
        countVerifications(database.read, provider_id, query.model_id),
      ])
      return { ...page, ...counted }
    },

    /** Counted when links are opened, so that a million links cost no more than a few. */
    async verificationsByDay(
      { provider_id }: Caller,
      { days, model_id }: { days: number; model_id?: string | undefined },
    ) {
      const last = Math.floor(now() / dayMs)
      const period = { first: last - days + 1, last }
      const [opened, models, total] = await Promise.all([
        listOpeningsByDay(database.read, provider_id, period, model_id),
        listMostOpened(database.read, provider_id, period, mostModels),
        countOpenings(database.read, provider_id, model_id),
      ])
      const openings = new Map(opened.map((row) => [row.day, Number(row.openings)]))
      return {
        days: Array.from({ length: days }, (_, index) => ({
          day: new Date((period.first + index) * dayMs).toISOString().slice(0, 10),
          verifications: openings.get(period.first + index) ?? 0,
        })),
        in_period: [...openings.values()].reduce((sum, count) => sum + count, 0),
        total: Number(total),
        models: models.map((model) => ({ ...model, verifications: Number(model.verifications) })),
      }
    },

    events: ({ provider_id }: Caller, query: EventQuery) => listEvents(database.read, provider_id, query),

    async setNotifications(caller: Caller, choice: Choice): Promise<NotificationSettings> {
      const before = await notifications(caller)
      const { provider_id, actor } = caller
      const changed = (Object.keys(before) as (keyof NotificationSettings)[]).filter(
        (name) => choice[name] !== undefined && choice[name] !== before[name],
      )
      if (changed.length === 0) return before
      const valuesIn = (settings: Choice) => Object.fromEntries(changed.map((name) => [name, settings[name]]))
      await database.transaction(async (tx) => {
        // The last alert: otherwise someone with a stolen key would switch alerts off first.
        if (changed.includes('security_alerts') && choice.security_alerts === false)
          await mail.alert(tx, provider_id, {
            subject: 'Security alerts were switched off',
            lines: ['You will no longer receive emails about keys, domains and other security changes.'],
          })
        await setNotifications(tx, {
          id: provider_id,
          at: now(),
          notify_incidents: flagOf(choice.incident_reported),
          notify_weekly: flagOf(choice.weekly_reports),
          notify_security: flagOf(choice.security_alerts),
        })
        await events.record(tx, {
          provider_id,
          actor,
          action: 'notifications.changed',
          subject: ['provider', provider_id],
          before: valuesIn(before),
          after: valuesIn(choice),
        })
      })
      return notifications(caller)
    },

    deactivate: (caller: Caller, provider_id: string) => setActive(caller, provider_id, false),

    reactivate: (caller: Caller, provider_id: string) => setActive(caller, provider_id, true),

    /** Revokes the links, removes the pages, erases data and keeps the trail. Frees the domain. Members stay people who can sign in. */
    async delete(caller: Caller, provider_id: string, visitor: Asked['visitor']) {
      checkOwnProvider(caller, provider_id)
      const deletion = await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        const account = await findAccount(tx, provider_id)
        if (!account) throw notFound()
        if (await isProtected(tx, provider_id, now()))
          return delays.schedule(
            tx,
            {
              provider_id,
              endpoint: 'providers.delete',
              params: { id: provider_id },
              what: await people.companyLines(tx, provider_id),
            },
            { caller, visitor },
          )
        await remove(tx, caller.actor, provider_id)
        return null
      })
      return deletion === null
        ? { message: 'Your account was deleted', provider_id, deletes_at: timeOf(now()), change_id: null }
        : {
            message: `Your account will be deleted at ${deletion.takes_effect_at}. Until then any owner can cancel it.`,
            provider_id,
            deletes_at: deletion.takes_effect_at,
            change_id: deletion.id,
          }
    },

    /** Carries out a delayed `delete`, 24 hours later. */
    async finishDelete(tx: Tx, { provider_id, actor }: { provider_id: string; actor: string }): Promise<boolean> {
      await remove(tx, actor, provider_id)
      return true
    },

    /** The person who is signed in. */
    async deleteMe({ person_id, session_id, actor }: Caller, { current_password }: Erasure) {
      if (person_id === null) throw new Refusal('forbidden', 'This requires a session: sign in on the web.')
      await auth.checkIsOwner({ person_id, session_id }, current_password)
      await database.transaction(async (tx) => {
        const person = await findPerson(tx, person_id)
        if (!person) throw notFound()
        const owned = await people.listOwned(tx, person_id)
        const kept = owned.find(({ company_name, owners }) => company_name !== null && owners === 1)
        if (kept)
          throw new Refusal(
            'last_owner',
            `You are the only owner of ${quote(kept.company_name ?? '')} (${kept.id}). Invite another owner, or delete the provider first.`,
          )
        const providers = await listProvidersOf(tx, person_id)
        for (const provider_id of providers)
          await events.record(tx, { provider_id, actor, action: 'member.left', subject: ['person', person_id] })
        await erasePerson(tx, { id: person_id, email_norm: person.email_norm, providers, at: now() })
        // Providers that were never completed.
        for (const { id, owners } of owned) if (owners === 1) await remove(tx, actor, id)
        await mail.queue(tx, {
          to: person.email,
          subject: 'Your data was erased',
          lines: [
            'Your address, your ways to sign in and your sessions were erased, as you asked. Keys that you made were revoked.',
            'If you did not ask for this, write to an owner of each company that you acted for.',
          ],
        })
      })
      return { message: 'You were erased', person_id }
    },

    /** Erases personal data from the links of deleted accounts. Finished parts stay finished if it is stopped; the next run continues. */
    async eraseLinks(signal: AbortSignal) {
      for (const { id } of await listUnerased(database.read, 100)) {
        let after: string | undefined = ''
        while (after !== undefined) {
          if (signal.aborted) return
          const from: string = after
          after = await database.transaction((tx) =>
            eraseSomeLinks(tx, { provider_id: id, after: from, limit: eraseBatch }),
          )
        }
        await database.transaction((tx) => markErased(tx, { id, at: now() }))
      }
    },
  }
}

export type AccountService = ReturnType<typeof createAccountService>
