import type { Insertable } from 'kysely'
import type { ChangeTable, Db, Tx } from '../db/schema.ts'

interface Own {
  provider_id: string
  id: string
}

export const insertDelayed = (tx: Tx, row: Insertable<ChangeTable>) => tx.insertInto('changes').values(row).execute()

export const findKnown = (db: Db, { provider_id, digest }: { provider_id: string; digest: string }) =>
  db
    .selectFrom('changes')
    .select(['id', 'params', 'body', 'expires_at'])
    .where('provider_id', '=', provider_id)
    .where('digest', '=', digest)
    .executeTakeFirst()

export const findDecision = (db: Db, { provider_id, id }: Own) =>
  db
    .selectFrom('changes')
    .select(['endpoint', 'state'])
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('state', '!=', 'stop')
    .executeTakeFirst()

/** Zero rows if it was done or cancelled, or is due. */
export const cancelDelayed = (tx: Tx, { provider_id, id, at, by }: Own & { at: number; by: string | null }) =>
  tx
    .updateTable('changes')
    .set({ state: 'cancelled', decided_at: at, decided_by: by, body: null, digest: null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .returning(['endpoint', 'params'])
    .executeTakeFirst()

/** Those whose time has come, of all providers, longest overdue first. */
export const listDelayed = (db: Db, { at, limit }: { at: number; limit: number }) =>
  db
    .selectFrom('changes')
    .select(['provider_id', 'id'])
    .where('state', '=', 'delayed')
    .where('expires_at', '<=', at)
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Only one process gets the row. */
export const takeDelayed = (tx: Tx, { provider_id, id, at }: Own & { at: number }) =>
  tx
    .updateTable('changes')
    .set({ state: 'done', digest: null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('state', '=', 'delayed')
    .where('expires_at', '<=', at)
    .returning(['endpoint', 'params', 'body', 'actor'])
    .executeTakeFirst()

/** It could not be done. */
export const giveUpDelayed = (tx: Tx, { provider_id, id }: Own) =>
  tx
    .updateTable('changes')
    .set({ state: 'cancelled', decided_by: null, body: null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .execute()

/** Keeps a person’s factors: cancels the change everywhere, even in companies they left, the removal of the factor, and the recovery links. */
export const keepFactors = async (
  tx: Tx,
  {
    person_id,
    factor_id,
    endpoint,
    params,
    at,
    by,
  }: { person_id: string; factor_id: string; endpoint: string; params: string; at: number; by: string | null },
) => {
  await tx
    .updateTable('factors')
    .set({ removes_at: null })
    .where('person_id', '=', person_id)
    .where('id', '=', factor_id)
    .where('removes_at', '>', at)
    .execute()
  if (endpoint === 'factors.recover')
    await tx
      .deleteFrom('one_time_tokens')
      .where('person_id', '=', person_id)
      .where('purpose', '=', 'recovery')
      .execute()
  await tx
    .updateTable('changes')
    .set({ state: 'cancelled', decided_at: at, decided_by: by, body: null, digest: null })
    .where('endpoint', '=', endpoint)
    .where('params', '=', params)
    .where('state', '=', 'delayed')
    .execute()
}

/** The change by this endpoint that a provider’s owners can still cancel. */
export const findDelayed = (
  db: Db,
  { provider_id, endpoint, at }: { provider_id: string; endpoint: string; at: number },
) =>
  db
    .selectFrom('changes')
    .select(['id', 'params', 'body', 'expires_at'])
    .where('provider_id', '=', provider_id)
    .where('endpoint', '=', endpoint)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .executeTakeFirst()

/** The latest first: in a map, the soonest of several replaces the others. */
export const listWaitingBy = (
  db: Db,
  { provider_id, endpoints, at }: { provider_id: string; endpoints: readonly string[]; at: number },
) =>
  db
    .selectFrom('changes')
    .select(['params', 'expires_at'])
    .where('provider_id', '=', provider_id)
    .where('endpoint', 'in', endpoints)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .orderBy('expires_at', 'desc')
    .execute()

export const insertUndo = (
  tx: Tx,
  {
    change_id,
    ...token
  }: {
    hash: string
    provider_id: string
    person_id: string
    change_id: string
    created_at: number
    expires_at: number
  },
) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...token, purpose: 'undo_change', data: JSON.stringify({ change_id }), attempts: 0 })
    .execute()

/** Works once, and only for someone who still belongs to the company. */
export const takeUndo = async (tx: Tx, { hash, at }: { hash: string; at: number }) => {
  const row = await tx
    .deleteFrom('one_time_tokens')
    .where('hash', '=', hash)
    .where('purpose', '=', 'undo_change')
    .where('expires_at', '>', at)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('members as m')
          .select('m.person_id')
          .whereRef('m.person_id', '=', 'one_time_tokens.person_id')
          .whereRef('m.provider_id', '=', 'one_time_tokens.provider_id'),
      ),
    )
    .returning(['provider_id', 'person_id', 'data'])
    .executeTakeFirst()
  if (row?.provider_id == null || row.person_id === null) return undefined
  const { change_id } = JSON.parse(row.data ?? '{}') as { change_id: string }
  return { provider_id: row.provider_id, person_id: row.person_id, change_id }
}

/** Whether a change is about this person. */
export const isAbout = async (db: Db, { provider_id, id, person_id }: Own & { person_id: string }) => {
  const row = await db
    .selectFrom('changes')
    .select('params')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined && (JSON.parse(row.params) as { person_id?: string }).person_id === person_id
}

export const findAddress = async (db: Db, person_id: string) =>
  (await db.selectFrom('people').select('email').where('id', '=', person_id).executeTakeFirst())?.email

export const countDelayed = async (
  db: Db,
  { provider_id, at }: { provider_id: string; at: number },
): Promise<number> => {
  const row = await db
    .selectFrom('changes')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider_id)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
