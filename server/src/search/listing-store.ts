import { type Insertable, type SqlBool, sql } from 'kysely'
import type { FullText, ListedTable } from '../db/full-text/engine.ts'
import { primaryProof } from '../db/proofs.ts'
import type { Db, ListedModelTable, ListedProviderTable, Tx } from '../db/schema.ts'
import type { Protection } from '../names/rules.ts'
import { isListed, isWithheld } from '../names/store.ts'
import { documentOfModel, documentOfProvider, isSamePlace, placeOf, standingOf, titleOf, yearOf } from './rules.ts'

/* ---- what should be listed ---- */

/** The newest public version of an identifier, unless it was withdrawn. Its row is `m`. */
const isNewestPublic = sql<SqlBool>`m.is_public = 1 and m.unfit_name = 0 and m.deleted_at is null and m.archived_at is null
  and not exists (select 1 from models n where n.provider_id = m.provider_id and n.api_model_identifier = m.api_model_identifier
    and n.version_number > m.version_number and n.is_public = 1 and n.deleted_at is null)`

type ProviderListing = Insertable<ListedProviderTable>
type ModelListing = Insertable<ListedModelTable>

/** The row that a provider should have now; undefined if it is not public. */
export const readProviderListing = async (
  tx: Db,
  protection: Protection,
  { id, at }: { id: string; at: number },
): Promise<ProviderListing | undefined> => {
  const row = await tx
    .selectFrom('providers as p')
    .selectAll('p')
    .select(primaryProof('p', at).proven_at.as('domain_verified_at'))
    .where('p.id', '=', id)
    .where(isListed(at))
    .executeTakeFirst()
  if (!row || isWithheld(protection, row)) return undefined
  return {
    id,
    place: placeOf(row),
    ...documentOfProvider(row),
    title: titleOf(row.company_name),
    standing: standingOf(row),
  }
}

/** The rows that models of a provider should have now: all of them, or those of one identifier. */
export const readModelListings = async (
  tx: Db,
  protection: Protection,
  { provider_id, identifier, at }: { provider_id: string; identifier?: string | undefined; at: number },
): Promise<ModelListing[]> => {
  let select = tx
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select([
      'm.id',
      'm.api_model_identifier',
      'm.display_name',
      'm.model_name',
      'm.family_name',
      'm.description',
      'm.opened_count',
      'm.created_at',
      'm.release_date',
      'm.context_window',
      'p.company_name',
      'p.name_skeleton',
      'p.domain',
      primaryProof('p', at).proven_at.as('domain_verified_at'),
    ])
    .where('m.provider_id', '=', provider_id)
    .where(isNewestPublic)
    .where(isListed(at))
  if (identifier !== undefined) select = select.where('m.api_model_identifier', '=', identifier)
  const rows = await select.execute()
  return rows
    .filter((row) => !isWithheld(protection, row))
    .map((row) => ({
      provider_id,
      api_model_identifier: row.api_model_identifier,
      id: row.id,
      place: placeOf(row),
      ...documentOfModel(row),
      title: titleOf(row.display_name),
      company: titleOf(row.company_name),
      year: yearOf(row.release_date),
      context: row.context_window ?? 0,
      created_at: row.created_at,
    }))
}

export const findIdentifier = (tx: Tx, provider_id: string, id: string) =>
  tx
    .selectFrom('models')
    .select('api_model_identifier')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
    .then((row) => row?.api_model_identifier)

/**
 * Providers without a proven domain whose listing depends on this provider's: they have its current or previous name. At most 100, which
 * bounds the transaction; the daily job `search-index` settles the rest.
 */
export const listOvertaken = (
  tx: Tx,
  { id, before, at }: { id: string; before: string | null; at: number },
): Promise<string[]> =>
  tx
    .selectFrom('providers as p')
    .select('p.id')
    .where(
      sql<SqlBool>`(p.name_skeleton = ${before} or p.name_skeleton = (select x.name_skeleton from providers x where x.id = ${id}))`,
    )
    .where('p.id', '<>', id)
    .where(sql<SqlBool>`not ${primaryProof('p', at).isProven}`)
    .where(
      sql<SqlBool>`case when ${isListed(at)} then 1 else 0 end <> case when exists (
        select 1 from listed_providers l where l.id = p.id) then 1 else 0 end`,
    )
    .orderBy('p.id')
    .limit(100)
    .execute()
    .then((rows) => rows.map((row) => row.id))

/* ---- what is listed ---- */

export const listProviderIds = (db: Db, after: string): Promise<string[]> =>
  db
    .selectFrom('providers')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute()
    .then((rows) => rows.map(({ id }) => id))

const repairedNames = 'search_protected_names'

/** The protected names of the last repair; empty if there were none. */
export const findRepairedNames = async (db: Db): Promise<string> => {
  const row = await db.selectFrom('registry_facts').select('value').where('name', '=', repairedNames).executeTakeFirst()
  return row?.value ?? ''
}

export const putRepairedNames = (tx: Tx, value: string) =>
  tx
    .insertInto('registry_facts')
    .values({ name: repairedNames, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()

const providerColumns = [
  'id',
  'place',
  'names',
  'words',
  'title',
  'standing',
] as const satisfies (keyof ListedProviderTable)[]
const modelColumns = [
  'provider_id',
  'api_model_identifier',
  'id',
  'place',
  'names',
  'words',
  'title',
  'company',
  'year',
  'context',
  'created_at',
] as const satisfies (keyof ListedModelTable)[]

export const findProviderListing = (tx: Db, id: string): Promise<ProviderListing | undefined> =>
  tx.selectFrom('listed_providers').select(providerColumns).where('id', '=', id).executeTakeFirst()

export const listModelListings = (tx: Db, provider_id: string, identifier?: string): Promise<ModelListing[]> => {
  const select = tx.selectFrom('listed_models').select(modelColumns).where('provider_id', '=', provider_id)
  return (identifier === undefined ? select : select.where('api_model_identifier', '=', identifier)).execute()
}

type Listing = ProviderListing | ModelListing

export const isSameListing = (one: Listing | undefined, other: Listing | undefined): boolean =>
  one === undefined || other === undefined ? one === other : isSameRow(one, other)

const isSameRow = (one: Listing, other: Listing): boolean =>
  isSamePlace(one.place, other.place) &&
  Object.entries({ ...one, place: other.place }).every(
    ([name, value]) => value === (other as Record<string, unknown>)[name],
  )

const remove = async (fullText: FullText, tx: Tx, table: ListedTable, { id, place }: Listing) => {
  await tx.deleteFrom(table).where('place', '=', place).where('id', '=', id).execute()
  await fullText.remove(tx, table, place)
}

/** Two rows of the same moment may want the same place. If two writers can meet, nothing depends on it. */
const findFreePlace = async (tx: Tx, table: ListedTable, wanted: number): Promise<number> => {
  for (let place = wanted; ; place++) {
    const taken = await tx.selectFrom(table).select('id').where('place', '=', place).executeTakeFirst()
    if (!taken) return place
  }
}

const add = async (fullText: FullText, tx: Tx, table: ListedTable, listing: Listing) => {
  const row = { ...listing, place: await findFreePlace(tx, table, listing.place) }
  await tx
    .insertInto(table)
    .values({ ...row, ...fullText.columnsOf(row.words) } as never)
    .execute()
  await fullText.add(tx, table, row)
}

/** Writes the difference between what is listed and what should be. */
export const writeListing = async (
  fullText: FullText,
  tx: Tx,
  table: ListedTable,
  { is, should }: { is: Listing | undefined; should: Listing | undefined },
) => {
  if (isSameListing(is, should)) return
  if (is) await remove(fullText, tx, table, is)
  if (should) await add(fullText, tx, table, should)
}
