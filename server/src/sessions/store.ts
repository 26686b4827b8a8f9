import type { Role } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../db/engine.ts'
import type { Db, SessionTable, Tx } from '../db/schema.ts'

export type SessionRow = Selectable<SessionTable>
export type FoundSession = Omit<SessionRow, 'user_agent'> & {
  /** The provider with which the session began; `provider_id` is the one of the row. */
  own_provider_id: string
  role: Role
  deactivated_at: number | null
  suspended_at: number | null
}

export const insertSession = (tx: Tx, session: Insertable<SessionTable>) =>
  tx.insertInto('sessions').values(session).execute()

/** A row for each provider for which the person may act. */
export const prepareFindSession = (database: Database) =>
  database.statement<{ id: string }, FoundSession>((db, parameter) =>
    db
      .selectFrom('sessions as s')
      .innerJoin('members as m', 'm.person_id', 's.person_id')
      .innerJoin('providers as p', 'p.id', 'm.provider_id')
      .select([
        's.person_id',
        's.provider_id as own_provider_id',
        'm.provider_id',
        's.id',
        's.token_hash',
        's.device',
        's.created_at',
        's.last_used_at',
        's.expires_at',
        's.revoked_at',
        'p.deactivated_at',
        'p.suspended_at',
        'm.role',
      ])
      .where('s.id', '=', sql<string>`(select ${parameter('id')})`)
      .where('s.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null),
  )

export const touchSession = (tx: Tx, { provider_id, id, at }: { provider_id: string; id: string; at: number }) =>
  tx
    .updateTable('sessions')
    .set({ last_used_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('last_used_at', '<', at)
    .execute()

export const listSessions = (
  db: Db,
  { person_id, at, idleSince }: { person_id: string; at: number; idleSince: number },
) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('last_used_at', '>', idleSince)
    .orderBy('last_used_at', 'desc')
    .limit(100)
    .execute()

export const lockSession = (tx: Tx, { person_id, id }: { person_id: string; id: string }) =>
  tx
    .updateTable('sessions')
    .set((row) => ({ revoked_at: row.ref('revoked_at') }))
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .returning(['last_used_at', 'expires_at', 'revoked_at'])
    .executeTakeFirst()

export const revokeOne = (tx: Tx, { person_id, id, at }: { person_id: string; id: string; at: number }) =>
  tx
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

export const revokeAll = (tx: Tx, { person_id, at }: { person_id: string; at: number }) =>
  tx
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('person_id', '=', person_id)
    .where('revoked_at', 'is', null)
    .execute()
