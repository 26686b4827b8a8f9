import type { KeyObject } from 'node:crypto'
import { notFound, type Session, type SignedInSession, scopesOfRole } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { personOf } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import { rejectChangesOfEnded } from '../db/staged.ts'
import { timeOf } from '../db/times.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { hashSecret } from '../secrets.ts'
import { absoluteMs, consoleKeyOf, createSessionToken, endOf, idleMs, readSessionCredential } from './rules.ts'
import {
  type FoundSession,
  insertSession,
  listSessions,
  lockSession,
  prepareFindSession,
  revokeAll,
  revokeOne,
  touchSession,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  /** Derives console keys. */
  secret: KeyObject
  isSame: (a: string, b: string) => boolean
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => void
}

interface NewSession {
  person_id: string
  /** The provider for which the person acts. */
  provider_id: string
  userAgent: string | null
  id?: string
  /** The name of a machine without a browser. */
  device?: string
}

const touchEveryMs = 60_000
/** Browser sessions: opaque, hashed, 12 hours idle and 7 days at most. Each has one console key, which expires with it. */
export const createSessionService = ({ database, events, secret, isSame, now, newId, onFailure }: Deps) => {
  const findSession = prepareFindSession(database)

  /** Recorded before the response, at most once a minute: a session in use must not expire as idle. */
  const touch = async ({
    own_provider_id,
    id,
    last_used_at,
  }: Pick<FoundSession, 'own_provider_id' | 'id' | 'last_used_at'>) => {
    const at = now()
    if (at - last_used_at < touchEveryMs) return
    await database.transaction((tx) => touchSession(tx, { provider_id: own_provider_id, id, at })).catch(onFailure)
  }

  return {
    /**
     * Keys and sessions are never mistaken for each other: each has its own form and its own table. What a page asks for while no one uses
     * it does not keep the session from ending as idle.
     */
    async authenticate(credential: string, { isUnattended = false } = {}): Promise<Caller | undefined> {
      const read = readSessionCredential(credential)
      if (!read) return undefined
      const rows = await findSession({ id: read.id })
      // The token is for the provider with which the session began; each console key is for one of the person's providers.
      const row =
        read.kind === 'token'
          ? rows.find((each) => each.provider_id === each.own_provider_id)
          : rows.find((each) => isSame(consoleKeyOf(secret, each), credential))
      if (!row || endOf(row) <= now()) return undefined
      if (read.kind === 'token' && !isSame(row.token_hash, hashSecret(credential))) return undefined
      if (!isUnattended) await touch(row)
      return {
        provider_id: row.provider_id,
        person_id: row.person_id,
        role: row.role,
        actor: row.id,
        key_id: null,
        session_id: row.id,
        isDevice: row.device !== null,
        scopes: scopesOfRole[row.role],
        credential: consoleKeyOf(secret, row),
        isDeactivated: row.deactivated_at !== null && row.suspended_at === null,
        isSuspended: row.suspended_at !== null,
      }
    },

    /** A new token each time: what a browser had before it signed in is worthless afterwards. */
    async begin(
      tx: Tx,
      { person_id, provider_id, userAgent, id = newId('ses'), device }: NewSession,
    ): Promise<Session> {
      const at = now()
      const { token, token_hash } = createSessionToken(id)
      const expires_at = at + absoluteMs
      await insertSession(tx, {
        person_id,
        provider_id,
        id,
        token_hash,
        user_agent: userAgent,
        device: device ?? null,
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
        api_key: consoleKeyOf(secret, { id, token_hash, provider_id }),
        needs_verification: false,
        expires_at: timeOf(expires_at),
      }
    },

    async list(caller: Caller): Promise<SignedInSession[]> {
      const person_id = await personOf(database.read, caller)
      const rows = await listSessions(database.read, { person_id, at: now(), idleSince: now() - idleMs })
      return rows.map((row) => ({
        id: row.id,
        device: row.device,
        is_current: row.id === caller.session_id,
        created_at: timeOf(row.created_at),
        last_used_at: timeOf(row.last_used_at),
        expires_at: timeOf(endOf(row)),
        user_agent: row.user_agent,
      }))
    },

    /** Idempotent for an ended session; another person's does not exist. */
    async end(caller: Caller, id: string): Promise<void> {
      const { provider_id, actor } = caller
      await database.transaction(async (tx) => {
        const person_id = await personOf(tx, caller)
        const ended = await revokeOne(tx, { person_id, id, at: now() })
        if (!ended) throw notFound()
        await rejectChangesOfEnded(tx, { person_id, at: now() })
        await events.record(tx, { provider_id, actor, action: 'session.ended', subject: ['session', id] })
      })
    },

    /**
     * Whether a session is valid, and stays so until the transaction ends: a concurrent sign-out waits, and sees what was done with it.
     */
    async hold(tx: Tx, { person_id, id }: { person_id: string; id: string }): Promise<boolean> {
      const row = await lockSession(tx, { person_id, id })
      return row !== undefined && row.revoked_at === null && endOf(row) > now()
    },

    /** The console key of a session for a provider of its person. */
    async keyFor({
      session_id,
      provider_id,
    }: {
      session_id: string
      provider_id: string
    }): Promise<string | undefined> {
      const row = (await findSession({ id: session_id })).find((each) => each.provider_id === provider_id)
      return row && consoleKeyOf(secret, row)
    },

    async endAll(tx: Tx, person_id: string) {
      await revokeAll(tx, { person_id, at: now() })
      await rejectChangesOfEnded(tx, { person_id, at: now() })
    },
  }
}

export type SessionService = ReturnType<typeof createSessionService>
