import type { KeyObject } from 'node:crypto'
import { notFound, type Session, type SignedInSession } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { hashSecret } from '../secrets.ts'
import { absoluteMs, consoleKeyOf, createSessionToken, endOf, idleMs, readSessionCredential } from './rules.ts'
import { holdSession, insertSession, listSessions, prepareFindSession, revokeAll, revokeOne, touchSession } from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  /** Derives console keys. */
  secret: KeyObject
  isSame: (a: string, b: string) => boolean
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => void
}

const touchEveryMs = 60_000
/** Sessions of people in a browser: opaque, hashed, 12 hours idle and 7 days in all. Each has one console key, which ends with it. */
export const createSessionService = ({ database, events, secret, isSame, now, newId, onFailure }: Needs) => {
  const findSession = prepareFindSession(database)

  /** Noted before the answer, at most once a minute: whoever uses a session must not find it idle. */
  const touch = async ({ provider_id, id, last_used_at }: { provider_id: string; id: string; last_used_at: number }) => {
    const at = now()
    if (at - last_used_at < touchEveryMs) return
    await database.transaction((tx) => touchSession(tx, { provider_id, id, at })).catch(onFailure)
  }

  return {
    /** Neither key nor session is ever taken for the other: each has its own form, and its own row. */
    async authenticate(credential: string): Promise<Caller | undefined> {
      const read = readSessionCredential(credential)
      if (!read) return undefined
      const [row] = await findSession({ id: read.id })
      if (!row || endOf(row) <= now()) return undefined
      const consoleKey = consoleKeyOf(secret, row)
      const isGood = read.kind === 'token' ? isSame(row.token_hash, hashSecret(credential)) : isSame(consoleKey, credential)
      if (!isGood) return undefined
      await touch(row)
      return {
        provider_id: row.provider_id,
        actor: row.id,
        key_id: null,
        session_id: row.id,
        scopes: null,
        credential: consoleKey,
        isDeactivated: row.deactivated_at !== null,
      }
    },

    /** A new token each time: what a browser had before it signed in is worth nothing afterwards. */
    async begin(
      tx: Tx,
      { provider_id, userAgent, id = newId('ses') }: { provider_id: string; userAgent: string | null; id?: string },
    ): Promise<Session> {
      const at = now()
      const { token, token_hash } = createSessionToken(id)
      const expires_at = at + absoluteMs
      await insertSession(tx, {
        provider_id,
        id,
        token_hash,
        user_agent: userAgent,
        created_at: at,
        last_used_at: at,
        expires_at,
        revoked_at: null,
      })
      await events.record(tx, { provider_id, actor: id, action: 'session.began', subject: ['session', id] })
      return {
        token,
        auth_token: token,
        provider_id,
        api_key: consoleKeyOf(secret, { id, token_hash }),
        needs_verification: false,
        expires_at: timeOf(expires_at),
      }
    },

    async list({ provider_id, session_id }: Caller): Promise<SignedInSession[]> {
      const rows = await listSessions(database.read, { provider_id, at: now(), idleSince: now() - idleMs })
      return rows.map((row) => ({
        id: row.id,
        is_current: row.id === session_id,
        created_at: timeOf(row.created_at),
        last_used_at: timeOf(row.last_used_at),
        expires_at: timeOf(endOf(row)),
        user_agent: row.user_agent,
      }))
    },

    /** Ending what has ended changes nothing; another's is not there. */
    async end({ provider_id, actor }: Caller, id: string): Promise<void> {
      await database.transaction(async (tx) => {
        const ended = await revokeOne(tx, { provider_id, id, at: now() })
        if (!ended) throw notFound()
        await events.record(tx, { provider_id, actor, action: 'session.ended', subject: ['session', id] })
      })
    },

    /**
     * Whether a session is good, and stays so until the transaction ends: who ends it at the same moment waits, and sees what
     * was done with it.
     */
    async hold(tx: Tx, { provider_id, id }: { provider_id: string; id: string }): Promise<boolean> {
      const row = await holdSession(tx, { provider_id, id })
      return row !== undefined && row.revoked_at === null && endOf(row) > now()
    },

    endAll: (tx: Tx, provider_id: string) => revokeAll(tx, { provider_id, at: now() }),
  }
}

export type SessionService = ReturnType<typeof createSessionService>
