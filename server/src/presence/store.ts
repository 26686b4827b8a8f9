import type { Insertable } from 'kysely'
import type { Db, PresenceTable, Tx } from '../db/schema.ts'

/** A session has one proof; a new one replaces it. */
export const putPresence = async (tx: Tx, row: Insertable<PresenceTable>) => {
  const { session_id, ...rest } = row
  await tx
    .insertInto('presences')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(rest))
    .execute()
}

interface Presented {
  session_id: string
  person_id: string
  hash: string
  at: number
}

/** Uses up the proof for the call that was approved. If several requests race, only one gets its row. */
export const takeApproved = (
  tx: Tx,
  {
    session_id,
    person_id,
    hash,
    at,
    method,
    path,
    body_digest,
  }: Presented & {
    method: string
    path: string
    body_digest: string
  },
) =>
  tx
    .updateTable('presences')
    .set({ used_at: at })
    .where('session_id', '=', session_id)
    .where('person_id', '=', person_id)
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .where('used_at', 'is', null)
    .where('method', '=', method)
    .where('path', '=', path)
    .where('body_digest', '=', body_digest)
    .returning('factor_id')
    .executeTakeFirst()

/** A proof whose own call was made counts for others until it expires. */
export const findRecent = (db: Db, { session_id, person_id, hash, at }: Presented) =>
  db
    .selectFrom('presences')
    .select('factor_id')
    .where('session_id', '=', session_id)
    .where('person_id', '=', person_id)
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .where('used_at', 'is not', null)
    .executeTakeFirst()

export const forgetPresencesOf = (tx: Tx, { person_id, factor_id }: { person_id: string; factor_id: string }) =>
  tx.deleteFrom('presences').where('person_id', '=', person_id).where('factor_id', '=', factor_id).execute()
