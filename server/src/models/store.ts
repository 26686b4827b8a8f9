import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { bundleColumns } from '../db/bundle-verdicts.ts'
import type { Database } from '../db/engine.ts'
import { type PageQuery, readPage } from '../db/paging.ts'
import { domainProof, primaryProof } from '../db/proofs.ts'
import type { Db, Flag, ModelTable, Tx } from '../db/schema.ts'
import { latestPublicId, supersededPublicly } from '../db/versions.ts'
import { areShownAlike } from '../names/rules.ts'
import { isLookAlike } from '../names/store.ts'
import { selectTrust, trustOfRow } from '../trust/facts.ts'

export type ModelRecord = Selectable<ModelTable>
export type ModelColumns = Updateable<ModelTable>

export type ModelRow = ModelRecord & {
  provider_name: string | null
  provider_name_skeleton: string | null
  provider_logo: string | null
  provider_domain: string | null
  provider_domain_verified_at: number | null
  latest_version_id: string | null
  is_predecessor_public: number
  is_successor_public: number
  latest_public_id: string | null
  superseded_publicly_at: number | null
}

const isPublicVersion = (id: 'm.predecessor_id' | 'm.successor_id') =>
  sql<number>`(select count(*) from models n where n.provider_id = m.provider_id and n.id = ${sql.ref(id)} and n.is_public = 1 and n.deleted_at is null)`

/** Every existing model of a provider; the caller adds who may see which. */
const selectModels = (db: Db, at: number) =>
  db
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .selectAll('m')
    .select([
      'p.company_name as provider_name',
      'p.name_skeleton as provider_name_skeleton',
      'p.logo_url as provider_logo',
      'p.domain as provider_domain',
      primaryProof('p', at).proven_at.as('provider_domain_verified_at'),
      isPublicVersion('m.predecessor_id').as('is_predecessor_public'),
      isPublicVersion('m.successor_id').as('is_successor_public'),
      sql<
        string | null
      >`(select l.id from models l where l.provider_id = m.provider_id and l.api_model_identifier = m.api_model_identifier and l.is_latest = 1 and l.deleted_at is null)`.as(
        'latest_version_id',
      ),
      latestPublicId.as('latest_public_id'),
      supersededPublicly.as('superseded_publicly_at'),
    ])
    .select(bundleColumns('m', at))
    .where('m.deleted_at', 'is', null)
    .where('p.deactivated_at', 'is', null)
    .where('p.deleted_at', 'is', null)

/** A model that is public, or the viewer's own. An anonymous viewer is `''`. */
export const prepareFindVisibleModel = (database: Database) =>
  database.statement<{ id: string; viewer: string; at: number }, ModelRow>((db, parameter) =>
    selectModels(db, parameter('at'))
      .where('m.id', '=', sql<string>`(select ${parameter('id')})`)
      .where(sql<SqlBool>`(m.is_public = 1 or m.provider_id = (select ${parameter('viewer')}))`),
  )

export const findOwnModel = (
  db: Db,
  { provider_id, id, at }: { provider_id: string; id: string; at: number },
): Promise<ModelRow | undefined> =>
  selectModels(db, at).where('m.provider_id', '=', provider_id).where('m.id', '=', id).executeTakeFirst()

/** Load these IDs in the given order, dropping any that are no longer public. */
export const findPublicModels = async (db: Db, ids: readonly string[], at: number): Promise<ModelRow[]> => {
  if (ids.length === 0) return []
  const rows = await selectModels(db, at)
    .where('m.id', 'in', ids)
    .where('m.is_public', '=', 1)
    .where('m.archived_at', 'is', null)
    .where('m.unfit_name', '=', 0)
    .where('p.is_listed', '=', 1)
    .where('p.unfit_name', '=', 0)
    .where(sql<SqlBool>`not ${isLookAlike(at)}`)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined)
}

export const listOwnModels = (
  db: Db,
  provider_id: string,
  { include_archived, ...page }: PageQuery & { include_archived?: boolean | undefined },
  at: number,
) => {
  // The index for this order has the second condition as well.
  const own = selectModels(db, at).where('m.provider_id', '=', provider_id).where(sql<SqlBool>`m.created_at >= 0`)
  const newestFirst = {
    key: sql.ref('m.created_at'),
    keyType: 'number',
    direction: 'desc',
    id: sql.ref('m.id'),
  } as const
  return readPage(include_archived ? own : own.where('m.is_archived', '=', 0), newestFirst, page)
}

/* ---- versions ---- */

export const findLatestVersion = (tx: Tx, provider_id: string, identifier: string) =>
  tx
    .selectFrom('models')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('api_model_identifier', '=', identifier)
    .where('is_latest', '=', 1)
    .executeTakeFirst()

/** The version with this name, or with one that pages show alike. */
export const findVersion = async (tx: Tx, provider_id: string, identifier: string, version: string) => {
  const versions = tx
    .selectFrom('models')
    .where('provider_id', '=', provider_id)
    .where('api_model_identifier', '=', identifier)
  const find = (name: string) => versions.selectAll().where('version', '=', name).executeTakeFirst()
  const same = await find(version)
  if (same) return same
  const others = await versions.select('version').execute()
  const alike = others.find((other) => areShownAlike(other.version, version))
  return alike && find(alike.version)
}

/** When a version got the digest that it had before this event; undefined if it had it from the beginning. */
export const findDigestTime = async (
  tx: Tx,
  { provider_id, id, event }: { provider_id: string; id: string; event: string },
): Promise<number | undefined> => {
  const edit = await tx
    .selectFrom('events')
    .select('at')
    .where('provider_id', '=', provider_id)
    .where('subject_id', '=', id)
    .where('action', 'in', ['model.edited', 'model.synced'])
    .where('id', '<', event)
    .where('after', 'like', '%"model_digest":%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return edit?.at
}

export const insertModel = (tx: Tx, model: Insertable<ModelTable>) => tx.insertInto('models').values(model).execute()

/** Its endpoint is no longer probed. */
const unwatched = { health_due_at: null, health_status: 'unknown', uptime_7d: null } as const

/** Superseded is not withdrawn: links stay valid, and `archived_at` stays null. */
export const supersede = (
  tx: Tx,
  { provider_id, id, successor_id, at }: { provider_id: string; id: string; successor_id: string; at: number },
) =>
  tx
    .updateTable('models')
    .set({ is_latest: 0, is_active: 0, is_archived: 1, superseded_at: at, successor_id, ...unwatched })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .execute()

/** Zero rows if it is already archived. */
export const markArchived = (
  tx: Tx,
  { provider_id, id, reason, at }: { provider_id: string; id: string; reason: string; at: number },
) =>
  tx
    .updateTable('models')
    .set({ is_archived: 1, is_active: 0, archived_at: at, archive_reason: reason, ...unwatched })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Zero rows if it is not archived. A superseded version stays superseded; monitoring resumes if it was on. */
export const markUnarchived = (tx: Tx, { provider_id, id, at }: { provider_id: string; id: string; at: number }) =>
  tx
    .updateTable('models')
    .set({
      archived_at: null,
      archive_reason: null,
      is_archived: sql<Flag>`case when superseded_at is null then 0 else 1 end`,
      is_active: sql<Flag>`case when superseded_at is null then 1 else 0 end`,
      health_due_at: sql<
        number | null
      >`case when superseded_at is null and health_check_enabled = 1 then cast(${at} as bigint) end`,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('archived_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/* ---- changes ---- */

/** Zero rows if nothing changes; an archived version cannot be made public. */
export const markPublic = (
  tx: Tx,
  { provider_id, id, is_public }: { provider_id: string; id: string; is_public: boolean },
) =>
  tx
    .updateTable('models')
    .set({ is_public: is_public ? 1 : 0 })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('is_public', '=', is_public ? 0 : 1)
    .$if(is_public, (update) => update.where('archived_at', 'is', null))
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

interface Editable {
  provider_id: string
  id: string
  /** Only the latest version, registered after that time, without a link. */
  newerThan?: number
}

/**
 * The version, locked until the transaction ends: an update that changes nothing locks the row on every engine, so that neither a first
 * link nor another edit happens between reading and changing.
 */
export const lockModel = (tx: Tx, { provider_id, id, newerThan }: Editable) => {
  const query = tx
    .updateTable('models')
    .set({ display_name: sql<string>`display_name` })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
  if (newerThan === undefined) return query.executeTakeFirst()
  return query
    .where('created_at', '>', newerThan)
    .where('is_latest', '=', 1)
    .where('first_minted_at', 'is', null)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
}

export const updateModel = (tx: Tx, { provider_id, id }: { provider_id: string; id: string }, columns: ModelColumns) =>
  tx.updateTable('models').set(columns).where('provider_id', '=', provider_id).where('id', '=', id).execute()

/* ---- usage and reports ---- */

/**
 * Reports that count publicly for an identifier, across all its versions: those about its provider, and those about another account from
 * the time it had proven one of the provider’s domains, whichever is primary now. `Atlas` and `atlas` are the same here.
 */
export const findPublicIncidents = async (
  db: Db,
  { provider_id, api_model_identifier }: Pick<ModelRecord, 'provider_id' | 'api_model_identifier'>,
  at: number,
) => {
  const reports = db
    .selectFrom('incidents as i')
    .select(['i.id', 'i.created_at', 'i.status'])
    .where('i.api_model_identifier', '=', api_model_identifier.toLowerCase())
    .where('i.counts_publicly', '=', 1)
    .where('i.withdrawn_at', 'is', null)
  const domains = db
    .selectFrom('provider_domains as d')
    .select('d.domain')
    .where('d.provider_id', '=', provider_id)
    // A provider with a stale proof keeps its name, and with it what was reported.
    .where(domainProof('d', at).isKept)
  const counted = reports
    .where('i.provider_id', '=', provider_id)
    .unionAll(reports.where('i.domain', 'in', domains).where('i.provider_id', '!=', provider_id))
  const numbers = await db
    .selectFrom(counted.as('c'))
    .select((count) => [
      count.fn.countAll<number>().as('total'),
      sql<number>`coalesce(sum(case when c.status in ('reported', 'investigating') then 1 else 0 end), 0)`.as('open'),
      sql<number>`coalesce(sum(case when c.status = 'dismissed' then 1 else 0 end), 0)`.as('dismissed'),
    ])
    .executeTakeFirstOrThrow()
  const last = await db
    .selectFrom(counted.as('c'))
    .select(['c.created_at', 'c.status'])
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { total: Number(numbers.total), open: Number(numbers.open), dismissed: Number(numbers.dismissed), last }
}

export const findTrust = async (db: Db, provider_id: string, at: number) => {
  const row = await db
    .selectFrom('providers as p')
    .select(selectTrust(at))
    .where('p.id', '=', provider_id)
    .executeTakeFirstOrThrow()
  return trustOfRow(row)
}

/** Each day is found by the whole primary key, so that a provider's other models cost nothing. */
export const listOpenings = (db: Db, model: { provider_id: string; model_id: string }, days: readonly number[]) =>
  db
    .selectFrom('openings_by_day')
    .select(['day', 'openings'])
    .where('provider_id', '=', model.provider_id)
    .where('day', 'in', days)
    .where('model_id', '=', model.model_id)
    .execute()
