import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { selectOvertaken } from '../names/store.ts'

/** Where a page of models ends. Models are in order of creation, so that a full page never changes. */
export interface ModelPlace {
  created_at: number
  id: string
}

const beforeAll: ModelPlace = { created_at: -1, id: '' }

// Covered by the index for this order.
const selectModels = (db: Db, after: ModelPlace | undefined) => {
  const { created_at, id } = after ?? beforeAll
  return db
    .selectFrom('listed_models')
    .select(['created_at', 'id'])
    .where(sql<SqlBool>`(created_at, id) > (${created_at}, ${id})`)
    .orderBy('created_at')
    .orderBy('id')
}

const selectProviders = (db: Db, after = '') =>
  db.selectFrom('listed_providers').select('id').where('id', '>', after).orderBy('id')

/** One page of models; without those whose provider is no longer listed because its proof was lost a moment ago. */
export const listModels = (db: Db, after: ModelPlace | undefined, limit: number, at: number) =>
  db
    .selectFrom(selectModels(db, after).select('provider_id').limit(limit).as('page'))
    .select('id')
    .where(sql<SqlBool>`provider_id not in (${selectOvertaken(at)})`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const listProviders = (db: Db, after: string | undefined, limit: number, at: number) =>
  db
    .selectFrom(selectProviders(db, after).limit(limit).as('page'))
    .select('id')
    .where(sql<SqlBool>`id not in (${selectOvertaken(at)})`)
    .orderBy('id')
    .execute()

/** The last entry of a page of this size; undefined if the page is not full. */
export const endOfModels = (db: Db, after: ModelPlace | undefined, length: number) =>
  selectModels(db, after)
    .limit(1)
    .offset(length - 1)
    .executeTakeFirst()

export const endOfProviders = (db: Db, after: string | undefined, length: number) =>
  selectProviders(db, after)
    .limit(1)
    .offset(length - 1)
    .executeTakeFirst()
    .then((row) => row?.id)
