import { notFound, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import { listOwnerMailboxes } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { Visitor } from '../http/endpoint.ts'
import type { NewId } from '../ids.ts'
import type { MailLine, MailService } from '../mail/service.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { delayMs, digestOf, noLongerDelayed, peopleOnly } from './rules.ts'
import {
  cancelDelayed,
  countDelayed,
  findAddress,
  findDecision,
  findDelayed,
  findKnown,
  giveUpDelayed,
  insertDelayed,
  insertUndo,
  isAbout,
  keepFactors,
  listDelayed,
  listWaitingBy,
  takeDelayed,
  takeUndo,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  publicUrl: string
  now: () => number
  newId: NewId
  onFailure: (id: string, error: unknown) => void
}

/** What cannot be taken back: the subject of the email about it, and the words before what it concerns. */
const emails = {
  'providers.delete': { subject: 'Your company will be deleted in 24 hours', about: 'The company:' },
  'domains.makePrimary': { subject: 'Your primary domain changes in 24 hours', about: 'The new domain:' },
  'factors.remove': { subject: 'A passkey of an owner is removed in 24 hours', about: 'The passkey:' },
  'factors.recover': { subject: 'Someone asked to remove the passkeys of a member', about: 'The member:' },
  'members.remove': { subject: 'An owner of your company is removed in 24 hours', about: 'The owner:' },
  'members.setRole': {
    subject: 'An owner of your company loses this role in 24 hours',
    about: 'The owner, and the new role:',
  },
} as const
export type DelayedName = keyof typeof emails

interface Wanted {
  provider_id: string
  endpoint: DelayedName
  params: Record<string, string>
  body?: Record<string, string | readonly string[]>
  /** What it concerns, for the email: a company, a domain, or the name of a passkey. */
  what: MailLine | readonly MailLine[]
  /** Default: 24 hours. */
  waitMs?: number
  /** It takes effect only if it is confirmed before; otherwise it is cancelled. */
  lapses?: boolean
  /** Someone who is emailed although they may not be an owner. */
  alsoTo?: { id: string; email: string }
}

/** The caller and where the call came from. */
export interface Asked {
  caller: Pick<Caller, 'actor' | 'person_id' | 'key_id'>
  visitor: Pick<Visitor, 'address' | 'userAgent'>
}

/** Does one of them; false if it is no longer possible. */
export type PerformDelayed = (
  tx: Tx,
  change: { provider_id: string; actor: string; params: Record<string, string>; body: Record<string, unknown> },
) => Promise<boolean>

const batch = 100
const linkInvalid = () => new Refusal('code_invalid', 'This link was used, or is no longer valid.')

const effectWords = (time: string, lapses: boolean) =>
  lapses
    ? `It takes effect once each company of the member has confirmed it. Otherwise it is cancelled at ${time}.`
    : `It takes effect at ${time}.`

/** Changes that a protected provider cannot take back. They take effect after 24 hours; until then any owner can cancel them. */
export const createDelayService = ({ database, events, mail, publicUrl, now, newId, onFailure }: Deps) => {
  /** Each email has a link of its own. */
  const emailAll = async (
    tx: Tx,
    { provider_id, alsoTo, lapses = false }: Pick<Wanted, 'provider_id' | 'alsoTo' | 'lapses'>,
    { id, expires_at }: { id: string; expires_at: number },
    { subject, lines }: { subject: string; lines: readonly MailLine[] },
  ) => {
    const owners = await listOwnerMailboxes(tx, provider_id)
    const others = alsoTo && !owners.some((owner) => owner.id === alsoTo.id) ? [alsoTo] : []
    for (const owner of [...owners, ...others]) {
      const token = newSecret()
      const created_at = now()
      await insertUndo(tx, {
        hash: hashSecret(token),
        provider_id,
        person_id: owner.id,
        change_id: id,
        created_at,
        expires_at,
      })
      await mail.queue(tx, {
        to: owner.email,
        subject,
        lines: [
          ...lines,
          `${effectWords(timeOf(expires_at), lapses)} If that is wrong, undo it before then:`,
          { link: `${publicUrl}/undo-change?token=${token}`, label: 'Undo it' },
          `Then end the sessions of that person, or revoke the key. The change is ${id}.`,
        ],
      })
    }
  }

  const emailOwners = async (
    tx: Tx,
    wanted: Wanted,
    { caller, visitor: { address, userAgent } }: Asked,
    change: { id: string; expires_at: number },
  ) => {
    const who = caller.person_id === null ? caller.actor : ((await findAddress(tx, caller.person_id)) ?? caller.actor)
    await emailAll(tx, wanted, change, {
      subject: emails[wanted.endpoint].subject,
      lines: [
        emails[wanted.endpoint].about,
        ...[wanted.what].flat(),
        'Requested with this account or key:',
        { mailbox: who },
        `From the network address ${address}, with this browser or program:`,
        { quote: userAgent ?? 'unknown' },
      ],
    })
  }

  const emailCancelled = async (
    tx: Tx,
    { provider_id, endpoint, who }: { provider_id: string; endpoint: string; who?: string },
    intro: string,
  ) => {
    for (const { email } of await listOwnerMailboxes(tx, provider_id))
      await mail.queue(tx, {
        to: email,
        subject: 'A change to your company was cancelled',
        lines: [
          intro,
          { quote: endpoint in emails ? emails[endpoint as DelayedName].subject : endpoint },
          ...(who === undefined ? [] : ['Cancelled with this account or key:', { mailbox: who }]),
          { link: `${publicUrl}/dashboard?tab=settings&section=changes`, label: 'Open your settings' },
        ],
      })
  }

  const cancel = async (
    tx: Tx,
    {
      provider_id,
      id,
      actor,
      by,
      isReplaced = false,
    }: { provider_id: string; id: string; actor: string; by: string | null; isReplaced?: boolean },
  ) => {
    const at = now()
    const cancelled = await cancelDelayed(tx, { provider_id, id, at, by })
    if (!cancelled) return false
    const { endpoint, params } = cancelled
    // The emailed link still works for the recovery that replaces this one.
    if (!isReplaced && (endpoint === 'factors.remove' || endpoint === 'factors.recover')) {
      const { id: factor_id = '', person_id = '' } = JSON.parse(params) as Record<string, string>
      await keepFactors(tx, { person_id, factor_id, endpoint, params, at, by })
    }
    await events.record(tx, {
      provider_id,
      actor,
      action: 'change.cancelled',
      subject: ['change', id],
      after: { endpoint },
    })
    const who = (by === null ? undefined : await findAddress(tx, by)) ?? actor
    await emailCancelled(tx, { provider_id, endpoint, who }, 'Nothing has changed. This was cancelled:')
    return true
  }

  return {
    /** In a transaction that holds the provider’s lock. The same call again changes nothing; another domain replaces the first. */
    async schedule(tx: Tx, wanted: Wanted, asked: Asked): Promise<{ id: string; takes_effect_at: string }> {
      const { provider_id, endpoint } = wanted
      const { caller } = asked
      const at = now()
      const [params, body] = [JSON.stringify(wanted.params), JSON.stringify(wanted.body ?? {})]
      const digest = hashSecret(digestOf({ endpoint, params }))
      const known = await findKnown(tx, { provider_id, digest })
      if (known) {
        if (known.params === params && known.body === body)
          return { id: known.id, takes_effect_at: timeOf(known.expires_at) }
        await cancel(tx, { provider_id, id: known.id, actor: caller.actor, by: caller.person_id, isReplaced: true })
      }
      const change = { id: newId('chg'), expires_at: at + (wanted.waitMs ?? delayMs) }
      await insertDelayed(tx, {
        ...change,
        provider_id,
        endpoint,
        params,
        body,
        if_match: null,
        digest,
        actor: caller.actor,
        key_id: caller.key_id,
        state: 'delayed',
        created_at: at,
        decided_at: at,
        decided_by: caller.person_id,
      })
      await events.record(tx, {
        provider_id,
        actor: caller.actor,
        action: 'change.delayed',
        subject: ['change', change.id],
        after: { endpoint },
      })
      await emailOwners(tx, wanted, asked, change)
      return { id: change.id, takes_effect_at: timeOf(change.expires_at) }
    },

    /** The change of an endpoint that waits, if there is one. */
    find: (provider_id: string, endpoint: DelayedName) =>
      findDelayed(database.read, { provider_id, endpoint, at: now() }),

    /** When each waiting change by these endpoints takes effect, by the ID in its path. */
    async listTimes(provider_id: string, endpoints: readonly DelayedName[]): Promise<ReadonlyMap<string, number>> {
      const rows = await listWaitingBy(database.read, { provider_id, endpoints, at: now() })
      return new Map(rows.map(({ params, expires_at }) => [(JSON.parse(params) as { id: string }).id, expires_at]))
    },

    count: (provider_id: string) => countDelayed(database.read, { provider_id, at: now() }),

    async cancel({ provider_id, actor, person_id }: Caller, id: string): Promise<void> {
      await database.transaction(async (tx) => {
        await lockProvider(database, tx, provider_id)
        const found = await findDecision(tx, { provider_id, id })
        if (!found) throw notFound()
        // Someone with only a mailbox cannot revoke the key of a thief, which may never expire.
        if (person_id === null && found.endpoint === 'factors.recover') throw peopleOnly()
        if (!(await cancel(tx, { provider_id, id, actor, by: person_id }))) throw noLongerDelayed()
      })
    },

    /** For people who may cancel what concerns them. */
    cancelOne: (of: { provider_id: string; id: string; actor: string; by: string | null }) =>
      database.transaction(async (tx) => {
        await lockProvider(database, tx, of.provider_id)
        return cancel(tx, of)
      }),

    /** When the address of a person changes: every recovery ends, and each link that could begin one. */
    endRecoveries: (tx: Tx, person_id: string) =>
      keepFactors(tx, {
        person_id,
        factor_id: '',
        endpoint: 'factors.recover',
        params: JSON.stringify({ person_id }),
        at: now(),
        by: person_id,
      }),

    /** Emails everyone again. */
    remind: (
      tx: Tx,
      {
        provider_id,
        id,
        expires_at,
        what,
        alsoTo,
      }: Pick<Wanted, 'provider_id' | 'what'> & Required<Pick<Wanted, 'alsoTo'>> & { id: string; expires_at: number },
    ) =>
      emailAll(
        tx,
        { provider_id, alsoTo },
        { id, expires_at },
        {
          subject: 'The passkeys of a member are removed soon',
          lines: ['Someone with access to the mailbox of this person asked for it:', ...[what].flat()],
        },
      ),

    /** For an owner who got the email and still is one, and for the person whom the change is about. */
    async undo({ token }: { token: string }) {
      return database.transaction(async (tx) => {
        const found = await takeUndo(tx, { hash: hashSecret(token), at: now() })
        if (!found) throw linkInvalid()
        const { provider_id, person_id, change_id } = found
        await lockProvider(database, tx, provider_id)
        const owners = await listOwnerMailboxes(tx, provider_id)
        const isOwner = owners.some(({ id }) => id === person_id)
        if (!isOwner && !(await isAbout(tx, { provider_id, id: change_id, person_id }))) throw linkInvalid()
        if (!(await cancel(tx, { provider_id, id: change_id, actor: 'visitor', by: person_id }))) throw linkInvalid()
        return { message: 'The change was cancelled: nothing has changed.' }
      })
    },

    /** The job. Each is done in the transaction that takes it: once, on however many replicas. */
    async runDue(signal: AbortSignal, performers: Readonly<Record<DelayedName, PerformDelayed>>): Promise<void> {
      for (const { provider_id, id } of await listDelayed(database.read, { at: now(), limit: batch })) {
        if (signal.aborted) return
        const work = async (tx: Tx) => {
          await lockProvider(database, tx, provider_id)
          const taken = await takeDelayed(tx, { provider_id, id, at: now() })
          if (!taken) return
          const { endpoint, params, body, actor } = taken
          const change = { provider_id, actor, params: JSON.parse(params), body: JSON.parse(body ?? '{}') }
          if (await performers[endpoint as DelayedName](tx, change)) return
          await giveUpDelayed(tx, { provider_id, id })
          await emailCancelled(tx, { provider_id, endpoint }, 'This is no longer possible and was cancelled:')
        }
        await database.transaction(work, { writer: provider_id }).catch((error) => onFailure(id, error))
      }
    },
  }
}

export type DelayService = ReturnType<typeof createDelayService>
