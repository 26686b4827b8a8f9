import type { ModelQuery, ProviderQuery } from '@countersign/sdk/contract'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { FullText, ListedTable } from '../db/full-text/engine.ts'
import { matchesWords } from '../db/full-text/plain.ts'
import { type PageQuery, readPage } from '../db/paging.ts'
import { primaryProof, selectOverdue } from '../db/proofs.ts'
import type { Db, ListedModelTable, Schema } from '../db/schema.ts'
import type { Protection } from '../names/rules.ts'
import { isListed, isWithheld, shownNames } from '../names/store.ts'
import { selectTrust } from '../trust/facts.ts'
import { firstUnverifiedPlace, listQueryOf, type TextQuery } from './rules.ts'

/* ---- finding ---- */

/** Enough to rank: with more matches, only the most popular of verified domains are considered. */
const candidates = { exact: 50, named: 100, all: 200 }

/** Matches are counted up to this number. */
export const countLimit = 1_000

interface Found {
  id: string
  place: number
  names: string
  total: number
}

interface Candidates {
  rows: Found[]
  total: number
}

const readCandidates = async (
  fullText: FullText,
  db: Db,
  table: ListedTable,
  query: TextQuery,
): Promise<Candidates> => {
  const key = query.key ?? ''
  const rare = await fullText.findRare(db, table, query)
  const { rows } =
    await sql<Found>`with hits as materialized (${fullText.matches(table, query, { limit: countLimit + 1, rare })})
    select l.id, l.place, l.names, (select count(*) from hits) as total
    from (
      select place from (select place from hits order by place limit ${candidates.all}) best
      union select place from (${fullText.named(table, { text: key, isPrefix: true }, candidates.named)}) named
      union select place from (${fullText.named(table, { text: key, isPrefix: false }, candidates.exact)}) exact
    ) c join ${sql.table(table)} as l on l.place = c.place`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

/** With fewer matches than this, parts of names are searched as well. That costs more, and the matches are less relevant. */
const fewHits = 20

/** Rows that may be the best matches, and how many match; one more than the limit stands for many. */
export const findCandidates = async (
  fullText: FullText,
  db: Db,
  table: ListedTable,
  query: TextQuery,
  at: number,
): Promise<Candidates & { listed: readonly Listed[] }> => {
  const byWords = await readCandidates(fullText, db, table, { ...query, part: null })
  const found =
    byWords.total < fewHits && query.part !== null ? await readCandidates(fullText, db, table, query) : byWords
  return { ...found, listed: found.rows, rows: await demoteOverdue(db, table, found.rows, at) }
}

/** Gives rows of overdue proofs the place of an unproven domain: the stored place reflects the time it was written. */
const demoteOverdue = async (db: Db, table: ListedTable, rows: Found[], at: number): Promise<Found[]> => {
  const proven = rows.filter(({ place }) => place < firstUnverifiedPlace)
  if (proven.length === 0 || !(await isAnyOverdue(db, at))) return rows
  const provider = sql.ref(table === 'listed_providers' ? 'l.id' : 'l.provider_id')
  const places = sql.join(proven.map(({ place }) => place))
  const { rows: late } = await sql<{
    place: number
  }>`select l.place from ${sql.table(table)} as l join providers p on p.id = ${provider}
    where l.place in (${places}) and ${primaryProof('p', at).isOverdue}`.execute(db)
  const overdue = new Set(late.map(({ place }) => place))
  return rows.map((row) => (overdue.has(row.place) ? { ...row, place: row.place + firstUnverifiedPlace } : row))
}

/** The shown fields of the providers found; read from the providers themselves, which may have changed since. */
export const findFoundProviders = async (db: Db, protection: Protection, ids: readonly string[], at: number) => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('providers as p')
    .select(['p.id', 'p.company_name', 'p.name_skeleton'])
    .select(selectTrust(at))
    .where('p.id', 'in', ids)
    .where(isListed(at))
    .execute()
  return rows.filter((row) => !isWithheld(protection, row))
}

/** When the company under its present domain stated the digest: it has no claim to the time before it proved that domain. */
const statedAt = sql<number | null>`case when p.domain_since > m.digest_at then p.domain_since else m.digest_at end`

/** Versions that search may return: those of listed providers, without names that keep them off the lists. */
const selectFoundModels = (db: Db, at: number) =>
  db
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['m.id', 'p.company_name', 'p.name_skeleton', 'p.domain'])
    .select(primaryProof('p', at).proven_at.as('domain_verified_at'))
    .where('m.is_public', '=', 1)
    .where('m.unfit_name', '=', 0)
    .where('m.archived_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .where(isListed(at))

/** With the names that their pages show. */
export const findFoundModels = async (db: Db, protection: Protection, ids: readonly string[], at: number) => {
  if (ids.length === 0) return []
  const rows = await selectFoundModels(db, at)
    .select(['m.provider_id', 'm.display_name', 'm.version', 'm.api_model_identifier', 'm.version_number'])
    .select(['m.description', 'm.created_at', statedAt.as('digest_at')])
    .where('m.id', 'in', ids)
    .execute()
  const shown = rows.filter((row) => !isWithheld(protection, row))
  return Promise.all(
    shown.map((row) =>
      shownNames(db, { ...row, domain: row.domain_verified_at === null ? null : row.domain }, row, at),
    ),
  )
}

/** The listed versions with that digest, the one that stated it earliest first; at most one more than the limit. */
export const findModelsByDigest = async (
  db: Db,
  protection: Protection,
  digest: string,
  at: number,
): Promise<string[]> => {
  const rows = await selectFoundModels(db, at)
    .where('m.model_digest', '=', digest)
    // A registry of the version before does not store the time.
    .orderBy((row) => row.fn.coalesce(statedAt, 'm.created_at'))
    .orderBy('m.id')
    .limit(countLimit + 1)
    .execute()
  return rows.filter((row) => !isWithheld(protection, row)).map(({ id }) => id)
}

/** A listed row, as it was found. */
export interface Listed {
  id: string
  place: number
}

/** Whether all rows are listed here at the same place. */
export const areListed = async (db: Db, table: ListedTable, rows: readonly Listed[]): Promise<boolean> => {
  if (rows.length === 0) return true
  const found = await db
    .selectFrom(table)
    .select(['id', 'place'])
    .where(
      'place',
      'in',
      rows.map(({ place }) => place),
    )
    .execute()
  const places = new Map(found.map(({ id, place }) => [id, place]))
  return rows.every(({ id, place }) => places.get(id) === place)
}

/* ---- the public lists ---- */

/** A list that is filtered by words sorts the best of their matches. */
const sortedMatches = 2_000

/** Finding and sorting this many rows is about as fast as reading a page of them along an index. */
const fewRows = 5_000

interface Sorting {
  column: string
  keyType: 'string' | 'number'
  direction: 'asc' | 'desc'
}

/**
 * `all`: the list is read along the index of its order. `few`: the matches are found first and then sorted, so the order must not tempt
 * the engine to read along it.
 */
const orderBy = ({ column, keyType, direction }: Sorting, amount: 'all' | 'few') => {
  const ref = sql.ref(`l.${column}`)
  const key: RawBuilder<unknown> =
    amount === 'all' ? sql`${ref}` : keyType === 'number' ? sql`${ref} + 0` : sql`${ref} || ''`
  return { key, keyType, direction, id: sql.ref('l.id') }
}

const isAmong = async (fullText: FullText, db: Db, table: ListedTable, query: TextQuery) => {
  const byWords = { ...query, part: null }
  const { rows } =
    query.part === null ? { rows: [] } : await fullText.matches(table, byWords, { limit: fewHits }).execute(db)
  const rare = await fullText.findRare(db, table, query)
  const matches = fullText.matches(table, rows.length < fewHits ? query : byWords, { limit: sortedMatches, rare })
  return sql<SqlBool>`l.place in (select place from (${matches}) found)`
}

const emptyPage = { rows: [], next_cursor: null }

const isAnyOverdue = async (db: Db, at: number): Promise<boolean> => {
  const { rows } = await sql`${selectOverdue(at)} limit 1`.execute(db)
  return rows.length > 0
}

export const listListedProviders = async (fullText: FullText, db: Db, query: ProviderQuery, at: number) => {
  const wanted = listQueryOf(query.search, query.location)
  if (wanted === 'nothing') return emptyPage
  let select = db.selectFrom('listed_providers as l').select(['l.id', 'l.place'])
  const isPopular = query.sort === 'popularity'
  if (query.verification !== 'all') {
    // Filter on the column that the list is sorted by, so that one index serves both.
    const isStoredAs = {
      verified: isPopular ? sql<SqlBool>`l.place < ${firstUnverifiedPlace}` : sql<SqlBool>`l.standing < '1'`,
      unverified: isPopular ? sql<SqlBool>`l.place >= ${firstUnverifiedPlace}` : sql<SqlBool>`l.standing >= '1'`,
    }[query.verification]
    // The rows reflect the time they were written. The list costs more only while checks are late.
    const isLate = await isAnyOverdue(db, at)
    const isOverdue = sql<SqlBool>`l.id in (${selectOverdue(at)})`
    const isVerified = query.verification === 'verified'
    select = select.where(
      !isLate
        ? isStoredAs
        : isVerified
          ? sql<SqlBool>`${isStoredAs} and not ${isOverdue}`
          : sql<SqlBool>`(${isStoredAs} or ${isOverdue})`,
    )
  }
  if (wanted !== 'everything') select = select.where(await isAmong(fullText, db, 'listed_providers', wanted))
  const isStanding = query.verification !== 'all' || query.sort.endsWith('verification')
  const sorting: Sorting = isPopular
    ? { column: 'place', keyType: 'number', direction: 'asc' }
    : {
        column: isStanding ? 'standing' : 'title',
        keyType: 'string',
        direction: query.sort.startsWith('-') ? 'desc' : 'asc',
      }
  return readPage(select, orderBy(sorting, wanted === 'everything' ? 'all' : 'few'), query)
}

const modelSortings = {
  date: { column: 'created_at', keyType: 'number', direction: 'desc' },
  name: { column: 'title', keyType: 'string', direction: 'asc' },
  provider: { column: 'company', keyType: 'string', direction: 'asc' },
  context: { column: 'context', keyType: 'number', direction: 'desc' },
} as const satisfies Record<ModelQuery['sort'], Sorting>

type ListedModels = SelectQueryBuilder<Schema & { l: ListedModelTable }, 'l', { id: string; place: number }>

const contextRange = ({ min_context_window, max_context_window }: ModelQuery, column: RawBuilder<unknown>) => {
  // Zero is where the slider starts, so it must not require a window.
  if (!min_context_window && max_context_window === undefined) return undefined
  const from = sql<SqlBool>`${column} >= ${Math.max(min_context_window ?? 0, 1)}`
  return max_context_window === undefined ? from : sql<SqlBool>`${from} and ${column} <= ${max_context_window}`
}

/** Few windows in the range: find and sort them. Many: read the list in its order, which soon has enough. */
const isRareRange = async (db: Db, range: RawBuilder<SqlBool>) => {
  const { rows } = await sql<{
    found: number
  }>`select count(*) as found from (select 1 from listed_models l where ${range} limit ${fewRows + 1}) counted`.execute(
    db,
  )
  return (rows[0]?.found ?? 0) <= fewRows
}

/** Demonstration data, and what the operator chose while the domain of its provider is proven. */
const isSample = (at: number) => sql<SqlBool>`l.id in (
  select s.model_id from samples s join models m on m.id = s.model_id join providers p on p.id = m.provider_id
  where ${primaryProof('p', at).isProven}
  union select d.id from models d where d.is_demo = 1)`

export const listListedModels = async (fullText: FullText, db: Db, query: ModelQuery & PageQuery, at: number) => {
  const wanted = listQueryOf(query.search, undefined)
  // Withdrawn and superseded versions are in no list.
  if (wanted === 'nothing' || query.is_active === false) return emptyPage
  const { provider_id, release_year } = query
  const sorting = modelSortings[query.sort]
  const byIndex = contextRange(query, sql`l.context`)
  const isRare =
    byIndex !== undefined && query.sort !== 'context' && provider_id === undefined && (await isRareRange(db, byIndex))
  const amount = wanted !== 'everything' || provider_id !== undefined || isRare || query.is_sample ? 'few' : 'all'
  const range =
    isRare || (amount === 'all' && query.sort === 'context') ? byIndex : contextRange(query, sql`l.context + 0`)

  let select: ListedModels = db.selectFrom('listed_models as l').select(['l.id', 'l.place'])
  if (provider_id !== undefined) select = select.where('l.provider_id', '=', provider_id)
  if (range) select = select.where(range)
  if (query.is_sample) select = select.where(isSample(at))
  if (release_year !== undefined)
    select = select.where(
      amount === 'all' ? sql<SqlBool>`l.year = ${release_year}` : sql<SqlBool>`l.year + 0 = ${release_year}`,
    )
  if (wanted !== 'everything')
    select = select.where(
      provider_id === undefined ? await isAmong(fullText, db, 'listed_models', wanted) : matchesWords(wanted),
    )
  return readPage(select, orderBy(sorting, amount), query)
}
