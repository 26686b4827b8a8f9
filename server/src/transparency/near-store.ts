import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type PageQuery, readPage } from '../db/paging.ts'
import type { Db, LogNearKeyTable, LogNearTable, Tx } from '../db/schema.ts'

export type Watched = Pick<Selectable<LogNearKeyTable>, 'kind' | 'own'>
export type Find = Insertable<LogNearTable>

const batch = 200

/* ---- where the scan is ---- */

const positionName = 'log_near_position'

/** Entries before this one were compared. */
export const findPosition = async (db: Db): Promise<number> => {
  const row = await db.selectFrom('registry_facts').select('value').where('name', '=', positionName).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** False if another process compared these entries. */
export const claimEntries = async (tx: Tx, { from, to }: { from: number; to: number }): Promise<boolean> => {
  await tx
    .insertInto('registry_facts')
    .values({ name: positionName, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await tx
    .updateTable('registry_facts')
    .set({ value: String(to) })
    .where('name', '=', positionName)
    .where('value', '=', String(from))
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/* ---- names to watch for ---- */

const mostDomains = 20

/**
 * Whether a domain is a company's: from its first proof until the company removes the domain, the operator blocks it or another company
 * proves it. Names are compared also while a proof is lost: it may be back in a minute.
 */
const isOwnDomain = (provider_id: RawBuilder<unknown>, domain: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select 1 from provider_domains d where d.provider_id = ${provider_id} and d.domain = ${domain}
  and (d.verified_at is not null or (d.lost_at is not null and coalesce(d.blocked_by, '') <> 'operator'
    and not exists (select 1 from provider_domains h where h.domain = ${domain} and h.verified_at is not null))))`

/** The domains and the name of a company in the log. */
export const listOwnNames = async (db: Db, provider_id: string): Promise<Watched[]> => {
  const domains = await db
    .selectFrom('provider_domains as k')
    .select('k.domain')
    .where('k.provider_id', '=', provider_id)
    .where(isOwnDomain(sql.ref('k.provider_id'), sql.ref('k.domain')))
    .orderBy(sql`k.verified_at is null`)
    .orderBy('k.is_primary', 'desc')
    .orderBy('k.domain')
    .limit(mostDomains)
    .execute()
  const provider = await db
    .selectFrom('providers')
    .select('company_name')
    .where('id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return [
    ...domains.map(({ domain }): Watched => ({ kind: 'domain', own: domain })),
    ...(provider?.company_name ? [{ kind: 'name' as const, own: provider.company_name }] : []),
  ]
}

export const listWatched = (db: Db, provider_id: string): Promise<Watched[]> =>
  db.selectFrom('log_near_keys').select(['kind', 'own']).distinct().where('provider_id', '=', provider_id).execute()

export const insertWatched = async (tx: Tx, rows: readonly LogNearKeyTable[]) => {
  if (rows.length > 0)
    await tx
      .insertInto('log_near_keys')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['provider_id', 'kind', 'own', 'fragment']).doNothing())
      .execute()
}

export const removeWatched = (tx: Tx, { provider_id, kind, own }: Watched & { provider_id: string }) =>
  tx
    .deleteFrom('log_near_keys')
    .where('provider_id', '=', provider_id)
    .where('kind', '=', kind)
    .where('own', '=', own)
    .execute()

/** Companies other than `except` that watch for names near a domain; `fragment` is one of its keys. */
export const listWatchersOf = async (
  db: Db,
  { domain, fragment, except }: { domain: string; fragment: string; except: string },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('log_near_keys')
    .select('provider_id')
    .where('fragment', '=', fragment)
    .where('kind', '=', 'domain')
    .where('own', '=', domain)
    .where('provider_id', '<>', except)
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** Whether a company still has the domain or name that others are near: what is near another one is not its concern. */
const isOwnOf = (alias: 'k' | 'n') => {
  const [id, own] = [sql.ref(`${alias}.provider_id`), sql.ref(`${alias}.own`)]
  return sql<SqlBool>`(${isOwnDomain(id, own)}
    or exists (select 1 from providers p where p.id = ${id} and p.company_name = ${own}))`
}

/** Names of other companies under one of these keys. */
export const listCandidates = async (db: Db, keys: readonly string[], except: string) => {
  const found = new Map<string, Pick<LogNearKeyTable, 'provider_id' | 'kind' | 'own'>>()
  for (let start = 0; start < keys.length; start += batch) {
    const rows = await db
      .selectFrom('log_near_keys as k')
      .select(['k.provider_id', 'k.kind', 'k.own'])
      .distinct()
      .where('k.fragment', 'in', keys.slice(start, start + batch))
      .where('k.provider_id', '<>', except)
      .where(isOwnOf('k'))
      .execute()
    for (const row of rows) found.set(`${row.provider_id} ${row.kind} ${row.own}`, row)
  }
  return [...found.values()]
}

/* ---- what was found ---- */

/** False if it was reported before. */
export const insertFind = async (tx: Tx, find: Find): Promise<boolean> => {
  const row = await tx
    .insertInto('log_near')
    .values(find)
    .onConflict((conflict) => conflict.columns(['provider_id', 'other', 'what']).doNothing())
    .returning('other')
    .executeTakeFirst()
  return row !== undefined
}

const withEntry = (db: Db, provider_id: string) =>
  db
    .selectFrom('log_near as n')
    .innerJoin('log_entries as e', 'e.id', 'n.entry_id')
    .select([
      'n.what as id',
      'n.other',
      'n.field',
      'n.own',
      'n.near',
      'n.entry_id',
      'n.position',
      'n.at',
      'e.leaf',
      'e.revealed',
    ])
    .where('n.provider_id', '=', provider_id)

const withOwn = (db: Db, provider_id: string) => withEntry(db, provider_id).where(isOwnOf('n'))

/** Newest first. */
export const listFinds = async (db: Db, provider_id: string, page: PageQuery) =>
  readPage(
    withOwn(db, provider_id),
    { key: sql.ref('n.position'), keyType: 'number', id: sql.ref('n.what'), direction: 'desc' },
    page,
  )

/** What was found in these entries. */
export const listFindsIn = async (db: Db, provider_id: string, entryIds: readonly string[]) =>
  entryIds.length === 0
    ? []
    : withOwn(db, provider_id).where('n.entry_id', 'in', entryIds).orderBy('n.position').orderBy('n.what').execute()

export const removeFind = (tx: Tx, { provider_id, other, what }: Pick<Find, 'provider_id' | 'other' | 'what'>) =>
  tx
    .deleteFrom('log_near')
    .where('provider_id', '=', provider_id)
    .where('other', '=', other)
    .where('what', '=', what)
    .execute()

const mostMoved = 1_000

/** What was found near one of the company's domains or names. */
export const listFindsNear = (db: Db, { provider_id, own }: Pick<Find, 'provider_id' | 'own'>) =>
  withEntry(db, provider_id).where('n.own', '=', own).orderBy('n.position', 'desc').limit(mostMoved).execute()

/** What was found is near another of the company's domains or names. */
export const moveFind = (
  tx: Tx,
  { provider_id, other, what, own, near }: Pick<Find, 'provider_id' | 'other' | 'what' | 'own' | 'near'>,
) =>
  tx
    .updateTable('log_near')
    .set({ own, near })
    .where('provider_id', '=', provider_id)
    .where('other', '=', other)
    .where('what', '=', what)
    .execute()

/** Names that another company has had in this field, and that were reported. */
export const listFindsOf = (db: Db, { provider_id, other, field }: Pick<Find, 'provider_id' | 'other' | 'field'>) =>
  withEntry(db, provider_id).where('n.other', '=', other).where('n.field', '=', field).execute()

export type FoundRow = Awaited<ReturnType<typeof listFindsIn>>[number]

/* ---- what others have now ---- */

export interface HeldName extends Pick<Find, 'other' | 'field'> {
  text: string
}

/** Which of these texts these companies have now: as a proven domain, as their own name, or as a name of a version, alone or with it. */
export const listHeld = async (db: Db, others: readonly string[], texts: readonly string[]): Promise<HeldName[]> => {
  if (others.length === 0 || texts.length === 0) return []
  const domains = await db
    .selectFrom('provider_domains')
    .select(['provider_id as other', 'domain as text'])
    .where('provider_id', 'in', others)
    .where('domain', 'in', texts)
    .where('verified_at', 'is not', null)
    .execute()
  const companies = await db
    .selectFrom('providers')
    .select(['id as other', 'company_name as text'])
    .where('id', 'in', others)
    .where('company_name', 'in', texts)
    .where('deleted_at', 'is', null)
    .$narrowType<{ text: string }>()
    .execute()
  const listVersions = async (column: 'api_model_identifier' | 'display_name') => {
    const alone = sql.ref<string>(column)
    const found = [alone, sql<string>`${alone} || ' ' || version`].map((text) =>
      db
        .selectFrom('models')
        .select(['provider_id as other', text.as('text')])
        .distinct()
        .where('provider_id', 'in', others)
        .where(text, 'in', texts)
        .where('deleted_at', 'is', null)
        .execute(),
    )
    return (await Promise.all(found)).flat()
  }
  return [
    ...domains.map((each) => ({ ...each, field: 'domain' as const })),
    ...companies.map((each) => ({ ...each, field: 'company_name' as const })),
    ...(await listVersions('api_model_identifier')).map((each) => ({ ...each, field: 'identifier' as const })),
    ...(await listVersions('display_name')).map((each) => ({ ...each, field: 'display_name' as const })),
  ]
}
