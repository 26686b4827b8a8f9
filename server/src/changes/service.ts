import {
  type Endpoint,
  endpointNameOf,
  notFound,
  Refusal,
  type Staged,
  type StagedChange,
} from '@countersign/sdk/contract'
import { askedBy } from '@countersign/sdk/words'
import { lockProvider } from '../db/lock.ts'
import { listOwnerMailboxes } from '../db/people.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { ScopedDatabase } from '../db/scoped.ts'
import { checkStillValid } from '../db/still-valid.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { MailService } from '../mail/service.ts'
import { hashSecret } from '../secrets.ts'
import { findNames, idsIn } from './names-store.ts'
import {
  changeLifetimeMs,
  hourMs,
  maxOpenChanges,
  noLongerOpen,
  paramsOf,
  stagedAnswer,
  stateOf,
  stopsPerHour,
  tooManyChanges,
} from './rules.ts'
import {
  type ChangeRow,
  countOpen,
  countStops,
  decideChange,
  findByDigest,
  findChange,
  insertChange,
  listChanges,
  releaseExpired,
} from './store.ts'

interface Deps {
  database: ScopedDatabase
  events: EventRecorder
  mail: Pick<MailService, 'queue'>
  /** The line of the contract on an endpoint. */
  summaryOf: (endpoint: string) => string
  publicUrl: string
  now: () => number
  newId: NewId
}

/** A call of a key or a job, to be repeated as it was sent. */
export interface StagedCall {
  endpoint: Endpoint
  params: unknown
  body: unknown
  ifMatch: string | undefined
}

/** Does a staged call as the person who approves it. */
export type Perform = (call: {
  name: string
  params: unknown
  body: unknown
  ifMatch: string | undefined
}) => Promise<unknown>

/** A key may take changes back and ask again. */
const cap = { name: 'change', perHour: maxOpenChanges }

const personOnly = () =>
  new Refusal(
    'forbidden',
    'Only a person can decide on a change. Open it in the console: /dashboard?tab=settings&section=changes.',
  )

/** How to stop the key, device or job that asked for a change. */
const remedyFor = (actor: string) => {
  if (actor.startsWith('pub_')) return 'remove the trusted publisher'
  return actor.startsWith('ses_') ? 'end the session of that device' : `revoke the key ${actor}`
}

/** Calls of keys and jobs that wait until a person approves them. */
export const createChangeService = ({ database, events, mail, summaryOf, publicUrl, now, newId }: Deps) => {
  const changeOf = (row: ChangeRow, names: ReadonlyMap<string, string>): StagedChange => {
    const body = row.body === null ? null : JSON.parse(row.body)
    return {
      id: row.id,
      endpoint: row.endpoint,
      summary: summaryOf(row.endpoint),
      params: JSON.parse(row.params),
      body,
      names: Object.fromEntries(idsIn(row).flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? '']] : []))),
      actor: row.actor,
      actor_name: row.actor_name,
      state: stateOf(row, now()),
      created_at: timeOf(row.created_at),
      expires_at: timeOf(row.expires_at),
      decided_at: timeOf(row.decided_at),
      decided_by: row.decider,
      // A recovery without the mailbox takes effect only if it is confirmed.
      takes_effect_at: row.state === 'delayed' && body?.via !== 'session' ? timeOf(row.expires_at) : null,
    }
  }

  /** None for a restricted key: it may not read all that they name. */
  const namesFor = (db: Db, { provider_id, person_id, scopes }: Caller, rows: readonly ChangeRow[]) =>
    findNames(db, {
      provider_id,
      ids: person_id !== null || scopes === null ? [...new Set(rows.flatMap(idsIn))] : [],
    })

  const getChange = async (db: Db, caller: Caller, id: string) => {
    const row = await findChange(db, { provider_id: caller.provider_id, id })
    if (!row) throw notFound()
    return changeOf(row, await namesFor(db, caller, [row]))
  }

  const inTransaction = <T>(provider_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction(
      async (tx) => {
        await lockProvider(database, tx, provider_id)
        return work(tx)
      },
      { writer: provider_id },
    )

  const rowOf = ({ provider_id, actor, key_id }: Caller, { endpoint, params, body, ifMatch }: StagedCall) => ({
    provider_id,
    id: newId('chg'),
    endpoint: endpointNameOf(endpoint),
    params: JSON.stringify(paramsOf(params)),
    body: JSON.stringify(body ?? {}),
    if_match: ifMatch ?? null,
    digest: null,
    actor,
    key_id,
    created_at: now(),
    expires_at: now() + changeLifetimeMs,
    decided_at: null,
    decided_by: null,
  })

  const emailOwners = async (tx: Tx, provider_id: string, change: StagedChange) => {
    for (const { email } of await listOwnerMailboxes(tx, provider_id))
      await mail.queue(tx, {
        to: email,
        cap,
        subject: 'A change waits for your approval',
        lines: [
          `Nothing has changed yet. The change: ${change.summary}.`,
          `Asked for by ${askedBy({ ...change, actor_name: null })}${change.actor_name === null ? '.' : ', which is called:'}`,
          ...(change.actor_name === null ? [] : [{ quote: change.actor_name }]),
          { link: `${publicUrl}/dashboard?tab=settings&section=changes&change=${change.id}`, label: 'See the change' },
          `It expires on ${change.expires_at.slice(0, 10)}. If you don't know it, reject it and ${remedyFor(change.actor)}.`,
        ],
      })
  }

  /** Counted in the transaction of the work itself, so that work that fails does not count. */
  const countStop = (caller: Caller, call: StagedCall) => async (tx: Tx) => {
    const { provider_id } = caller
    await lockProvider(database, tx, provider_id)
    if ((await countStops(tx, { provider_id, since: now() - hourMs })) >= stopsPerHour) throw new TooManyStops()
    await insertChange(tx, { ...rowOf(caller, call), body: null, state: 'stop', decided_at: now() })
  }

  return {
    /** Stages a call, once: the same call again gets the same change. */
    async stage(caller: Caller, call: StagedCall): Promise<Staged> {
      const { provider_id, actor } = caller
      const row = rowOf(caller, call)
      // Also if another key calls.
      const digest = hashSecret(JSON.stringify([row.endpoint, row.params, row.body, row.if_match]))
      return inTransaction(provider_id, async (tx) => {
        await checkStillValid(tx, caller)
        await releaseExpired(tx, { provider_id, at: now() })
        const known = await findByDigest(tx, { provider_id, digest })
        if (known) return stagedAnswer(await getChange(tx, caller, known.id))
        if ((await countOpen(tx, { provider_id, at: now() })) >= maxOpenChanges) throw tooManyChanges()
        await insertChange(tx, { ...row, digest, state: 'open' })
        const change = await getChange(tx, caller, row.id)
        await events.record(tx, {
          provider_id,
          actor,
          action: 'change.staged',
          subject: ['change', row.id],
          after: { endpoint: row.endpoint },
        })
        await emailOwners(tx, provider_id, change)
        return stagedAnswer(change)
      })
    },

    /** Carries out a call that stops something, at once; undefined if the provider's keys did so too often. */
    async stop<T>(caller: Caller, call: StagedCall, work: () => Promise<T>): Promise<{ answer: T } | undefined> {
      try {
        return { answer: await database.preceded(countStop(caller, call), work) }
      } catch (error) {
        if (error instanceof TooManyStops) return undefined
        throw error
      }
    },

    async list(caller: Caller) {
      const rows = await listChanges(database.read, { provider_id: caller.provider_id, at: now() })
      const names = await namesFor(database.read, caller, rows)
      return { changes: rows.map((row) => changeOf(row, names)) }
    },

    get: (caller: Caller, id: string) => getChange(database.read, caller, id),

    /** The decision and the change are one transaction: of several approvals, one changes something. */
    async approve(caller: Caller, id: string, perform: Perform) {
      const { provider_id, actor, person_id } = caller
      const row = await findChange(database.read, { provider_id, id })
      if (!row) throw notFound()
      if (person_id === null) throw personOnly()
      const state = stateOf(row, now())
      if (state !== 'open') throw noLongerOpen(state)
      const decide = async (tx: Tx) => {
        await lockProvider(database, tx, provider_id)
        if (!(await decideChange(tx, { provider_id, id, state: 'approved', at: now(), by: person_id })))
          throw noLongerOpen((await getChange(tx, caller, id)).state)
        await events.record(tx, {
          provider_id,
          actor,
          action: 'change.approved',
          subject: ['change', id],
          after: { endpoint: row.endpoint, asked_by: row.actor },
        })
      }
      const call = {
        name: row.endpoint,
        params: JSON.parse(row.params),
        body: JSON.parse(row.body ?? '{}'),
        ifMatch: row.if_match ?? undefined,
      }
      const result = await database.preceded(decide, () => perform(call))
      return { change: await getChange(database.read, caller, id), result }
    },

    /** By a person who may make the change, or by the key that asked for it. */
    async reject(caller: Caller, id: string, checkMay: (name: string) => void): Promise<StagedChange> {
      const { provider_id, actor, person_id, key_id } = caller
      return inTransaction(provider_id, async (tx) => {
        const row = await findChange(tx, { provider_id, id })
        if (!row) throw notFound()
        if (person_id === null && row.key_id !== key_id) throw personOnly()
        if (person_id !== null) checkMay(row.endpoint)
        if (!(await decideChange(tx, { provider_id, id, state: 'rejected', at: now(), by: person_id })))
          throw noLongerOpen(stateOf(row, now()))
        await events.record(tx, {
          provider_id,
          actor,
          action: 'change.rejected',
          subject: ['change', id],
          after: { endpoint: row.endpoint, asked_by: row.actor },
        })
        return getChange(tx, caller, id)
      })
    },
  }
}

class TooManyStops extends Error {
  override readonly name = 'TooManyStops'
}

export type ChangeService = ReturnType<typeof createChangeService>
