import type { Db, Tx } from '../db/schema.ts'

export const listSamples = (db: Db) =>
  db
    .selectFrom('samples as s')
    .leftJoin('models as m', 'm.id', 's.model_id')
    .leftJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['s.model_id', 'm.display_name', 'm.version', 'p.domain'])
    .orderBy('s.added_at')
    .orderBy('s.model_id')
    .execute()

export const findSampleModel = (db: Db, id: string) =>
  db
    .selectFrom('models')
    .select('provider_id')
    .where('id', '=', id)
    .where('is_public', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Zero rows if it is already a sample. */
export const insertSample = (tx: Tx, { model_id, at }: { model_id: string; at: number }) =>
  tx
    .insertInto('samples')
    .values({ model_id, added_at: at })
    .onConflict((conflict) => conflict.column('model_id').doNothing())
    .returning('model_id')
    .executeTakeFirst()

export const deleteSample = (tx: Tx, model_id: string) =>
  tx.deleteFrom('samples').where('model_id', '=', model_id).returning('model_id').executeTakeFirst()
