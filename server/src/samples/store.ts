import { primaryProof } from '../db/proofs.ts'
import type { Db, Tx } from '../db/schema.ts'
import { supersededPublicly } from '../db/versions.ts'

export const listSamples = (db: Db, at: number) =>
  db
    .selectFrom('samples as s')
    .leftJoin('models as m', 'm.id', 's.model_id')
    .leftJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['s.model_id', 'm.display_name', 'm.version', 'p.domain', primaryProof('p', at).proven_at.as('proven_at')])
    .orderBy('s.added_at')
    .orderBy('s.model_id')
    .execute()

export const findSampleModel = (db: Db, id: string, at: number) =>
  db
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .leftJoin('listed_models as l', 'l.id', 'm.id')
    .select([
      'm.provider_id',
      'm.archived_at',
      supersededPublicly.as('superseded_at'),
      primaryProof('p', at).proven_at.as('proven_at'),
      'l.id as listed_id',
    ])
    .where('m.id', '=', id)
    .where('m.is_public', '=', 1)
    .where('m.deleted_at', 'is', null)
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
