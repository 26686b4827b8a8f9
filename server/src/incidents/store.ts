import type {
  Incident,
  IncidentFilter,
  IncidentResponse,
  IncidentSeverity,
  IncidentSort,
  IncidentStatus,
} from '@countersign/sdk/contract'
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type PageQuery, readPage } from '../db/paging.ts'
import { primaryProof } from '../db/proofs.ts'
import type { Db, Flag, IncidentTable, Tx } from '../db/schema.ts'
import type { Alerts } from './rules.ts'

export type IncidentRow = Selectable<IncidentTable> & { model_name: string }

interface Own {
  provider_id: string
  id: string
}

/** What a report is about. */
export interface Subject {
  provider_id: string
  model_id: string
  /** Undefined: the report came without a link. */
  verification_id: string | null
}

const open = ['reported', 'investigating'] as const

const statusesOf = (status: IncidentFilter): readonly IncidentStatus[] => (status === 'open' ? open : [status])

const selectOwn = (db: Db, provider_id: string) =>
  db
    .selectFrom('incidents as i')
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'i.provider_id').onRef('m.id', '=', 'i.model_id'),
    )
    .selectAll('i')
    .select('m.display_name as model_name')
    .where('i.provider_id', '=', provider_id)

export const findOwnIncident = (db: Db, { provider_id, id }: Own): Promise<IncidentRow | undefined> =>
  selectOwn(db, provider_id).where('i.id', '=', id).executeTakeFirst()

interface Filter {
  status?: IncidentFilter | undefined
  severity?: IncidentSeverity | undefined
}

/** PostgreSQL fails if a number in a cursor is wider than the column. */
const rank = (of: RawBuilder<unknown>) => sql<number>`cast(${of} as bigint)`

/** Ascending: the least severe and the first status come first. */
const ranks = {
  severity: rank(sql`case i.severity when 'critical' then 4 when 'high' then 3 when 'medium' then 2 else 1 end`),
  status: rank(sql`case i.status when 'reported' then 1 when 'investigating' then 2 when 'resolved' then 3 else 4 end`),
}

/** IDs sort by creation time and follow the provider in the index, so every page in that order costs the same. */
export const listOwnIncidents = (
  db: Db,
  provider_id: string,
  { status, severity, sort, ...page }: PageQuery & Filter & { sort: IncidentSort },
) => {
  const id = sql.ref('i.id')
  let own = selectOwn(db, provider_id)
  if (status !== undefined) own = own.where('i.status', 'in', statusesOf(status))
  if (severity !== undefined) own = own.where('i.severity', '=', severity)
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace('-', '') as 'created' | keyof typeof ranks
  return column === 'created'
    ? readPage(own, { key: id, keyType: 'string', id, direction }, page)
    : readPage(own, { key: ranks[column], keyType: 'number', id, direction }, page)
}

const maxCounted = 10_000

/** Counts the newest ten thousand; beyond them the number is marked as a lower bound. */
export const countOwnIncidents = async (db: Db, provider_id: string, { status, severity }: Filter) => {
  const newest = db
    .selectFrom('incidents')
    .select(['status', 'severity'])
    .where('provider_id', '=', provider_id)
    .orderBy('id', 'desc')
    .limit(maxCounted + 1)
  const isOf = (column: 'status' | 'severity', values: readonly string[] | undefined) =>
    values === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(`n.${column}`)} in (${sql.join(values)})`
  const isMatching = sql`case when ${isOf('status', status && statusesOf(status))} and ${isOf('severity', severity && [severity])} then 1 else 0 end`
  const { seen, matching } = await db
    .selectFrom(newest.as('n'))
    .select((of) => [of.fn.countAll<number>().as('seen'), sql<number>`coalesce(sum(${isMatching}), 0)`.as('matching')])
    .executeTakeFirstOrThrow()
  return { total: Math.min(matching, maxCounted), total_is_lower_bound: seen > maxCounted }
}

/* ---- reporting ---- */

/**
 * The provider that a report is about, and where to email it. Without a link, undefined if the provider is deactivated or deleted. With
 * one, the provider cannot avoid the report.
 */
export const findSubject = async (tx: Tx, { provider_id, model_id, verification_id }: Subject) => {
  const found = tx
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['m.api_model_identifier', 'p.email', 'p.email_verified_at', 'p.notify_incidents', 'p.deleted_at'])
    .where('m.provider_id', '=', provider_id)
    .where('m.id', '=', model_id)
  const subject = await (verification_id === null
    ? found.where('m.deleted_at', 'is', null).where('p.deleted_at', 'is', null).where('p.deactivated_at', 'is', null)
    : found
  ).executeTakeFirst()
  return subject && { ...subject, domain: await findReportedDomain(tx, { provider_id, verification_id }) }
}

/**
 * The domain that a report stays with: the one the link was minted under, else the one the provider has proven or proved last, unless
 * another provider has proven it since.
 */
const findReportedDomain = async (
  tx: Tx,
  { provider_id, verification_id }: Omit<Subject, 'model_id'>,
): Promise<string | null> => {
  const link =
    verification_id !== null &&
    (await tx
      .selectFrom('verifications as v')
      .innerJoin('link_snapshots as s', (join) =>
        join.onRef('s.provider_id', '=', 'v.provider_id').onRef('s.id', '=', 'v.snapshot_id'),
      )
      .select('s.domain')
      .where('v.provider_id', '=', provider_id)
      .where('v.id', '=', verification_id)
      .executeTakeFirst())
  if (link && link.domain !== null) return link.domain
  const proven = await tx
    .selectFrom('provider_domains as d')
    .select('d.domain')
    .where('d.provider_id', '=', provider_id)
    .where((row) => row.or([row('d.verified_at', 'is not', null), row('d.lost_at', 'is not', null)]))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('provider_domains as o')
            .select('o.domain')
            .whereRef('o.domain', '=', 'd.domain')
            .where('o.provider_id', '!=', provider_id)
            .where('o.verified_at', 'is not', null),
        ),
      ),
    )
    .orderBy(sql`case when d.verified_at is null then 1 else 0 end`)
    .orderBy('d.is_primary', 'desc')
    .orderBy('d.lost_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return proven?.domain ?? null
}

/** Zero rows if the same link was already used for this category. */
export const insertIncident = (tx: Tx, incident: Insertable<IncidentTable>) =>
  tx
    .insertInto('incidents')
    .values(incident)
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'verification_id', 'category'])
        .where('verification_id', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()

/** For one provider: reports that were emailed at once, recognised by equal times. */
export const countAlerts = async (
  tx: Tx,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<Alerts> => {
  const { all, verified } = await tx
    .selectFrom('incidents')
    .select((of) => [
      of.fn.countAll<number>().as('all'),
      sql<number>`coalesce(sum(is_verified_report), 0)`.as('verified'),
    ])
    .where('provider_id', '=', provider_id)
    .where('created_at', '>', since)
    .whereRef('digested_at', '=', 'created_at')
    .executeTakeFirstOrThrow()
  return { all: Number(all), unverified: Number(all) - Number(verified) }
}

/* ---- answers ---- */

interface Answer extends Own, Pick<IncidentResponse, 'status'> {
  response: string | null
  at: number
}

/** The no-op update is a row lock on both databases. */
export const lockIncident = (tx: Tx, { provider_id, id }: Own) =>
  tx
    .updateTable('incidents')
    .set({ status: sql<IncidentStatus>`status` })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/**
 * Zero rows if the incident is closed, or does not exist. A provider that works on a report confirms it: from then on it counts.
 * Dismissing it later does not undo this. Once answered, it needs no email.
 */
export const markAnswered = (tx: Tx, { provider_id, id, status, response, at }: Answer) =>
  tx
    .updateTable('incidents')
    .set({
      status,
      provider_response: sql<string | null>`coalesce(cast(${response} as text), provider_response)`,
      ...(status !== 'dismissed' && { counts_publicly: 1 as Flag }),
      ...(status === 'resolved' && { resolved_at: at }),
      digested_at: sql<number>`coalesce(digested_at, cast(${at} as bigint))`,
      updated_at: at,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('status', 'in', open)
    .returning(['reporter_email', 'created_at'])
    .executeTakeFirst()

interface Withdrawn extends Own, Pick<IncidentTable, 'status' | 'provider_response'> {
  /** The answer that is withdrawn. */
  answered: IncidentStatus
  isConfirmed: boolean
  at: number
}

/** Puts an incident back to what it was before an answer. Zero rows if its status has changed since. */
export const markReopened = (
  tx: Tx,
  { provider_id, id, answered, status, provider_response, isConfirmed, at }: Withdrawn,
) =>
  tx
    .updateTable('incidents')
    .set({
      status,
      provider_response,
      counts_publicly: isConfirmed ? 1 : sql<Flag>`is_verified_report`,
      resolved_at: null,
      updated_at: at,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('status', '=', answered)
    .returning(['reporter_email', 'created_at'])
    .executeTakeFirst()

/** What the registry itself verified about a provider, for emails to others. */
export const findCheckedDomain = async (tx: Tx, provider_id: string, at: number): Promise<string | null> => {
  const row = await tx
    .selectFrom('providers as p')
    .select('p.domain')
    .where('p.id', '=', provider_id)
    .where(primaryProof('p', at).isProven)
    .executeTakeFirst()
  return row?.domain ?? null
}

/* ---- the digest ---- */

/** Active providers with reports they were not emailed about, after the given one. */
export const listPending = async (db: Db, { after, limit }: { after: string; limit: number }): Promise<string[]> => {
  const rows = await db
    .selectFrom('incidents as i')
    .innerJoin('providers as p', 'p.id', 'i.provider_id')
    .select('i.provider_id')
    .distinct()
    .where('i.digested_at', 'is', null)
    .where('i.provider_id', '>', after)
    .where('p.deactivated_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .orderBy('i.provider_id')
    .limit(limit)
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** Claims what a provider was not emailed about; only the process that claims a report sends it. */
export const takePending = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  tx
    .updateTable('incidents')
    .set({ digested_at: at })
    .where('provider_id', '=', provider_id)
    .where('digested_at', 'is', null)
    .returning(['id', 'title', 'category', 'severity'])
    .execute()

export const findMailbox = (tx: Tx, provider_id: string) =>
  tx
    .selectFrom('providers')
    .select(['email', 'email_verified_at', 'notify_incidents'])
    .where('id', '=', provider_id)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/* ---- rows to answers ---- */

export const incidentOf = (row: IncidentRow): Incident => ({
  id: row.id,
  model_id: row.model_id,
  model_name: row.model_name,
  category: row.category,
  severity: row.severity,
  status: row.status,
  title: row.title,
  description: row.description,
  reference_url: row.reference_url,
  screenshot_url: row.screenshot_url,
  is_verified_report: row.is_verified_report === 1,
  counts_publicly: row.counts_publicly === 1 && row.withdrawn_at === null,
  reporter_email: row.reporter_email,
  reporter_fingerprint: row.reporter_fingerprint,
  provider_response: row.provider_response,
  created_at: new Date(row.created_at).toISOString(),
  resolved_at: row.resolved_at === null ? null : new Date(row.resolved_at).toISOString(),
})

/* ---- for the operator ---- */

export type OperatorIncident = Selectable<IncidentTable>

const mostListed = 200

/** The newest reports: all of them, or those about a domain or a provider. */
export const listAnyIncidents = (db: Db, providerOrDomain: string | undefined): Promise<OperatorIncident[]> => {
  const newest = db
    .selectFrom('incidents')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostListed)
  if (providerOrDomain === undefined) return newest.execute()
  return newest
    .where((row) =>
      row.or([row('provider_id', '=', providerOrDomain), row('domain', '=', providerOrDomain.toLowerCase())]),
    )
    .execute()
}

export const findAnyIncident = (db: Db, id: string): Promise<OperatorIncident | undefined> =>
  db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst()

/** Zero rows if the report is already withdrawn. */
export const markWithdrawn = (tx: Tx, { provider_id, id, reason, at }: Own & { reason: string | null; at: number }) =>
  tx
    .updateTable('incidents')
    .set({ withdrawn_at: at, withdrawn_reason: reason, updated_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Zero rows if the report is not withdrawn. */
export const markRestored = (tx: Tx, { provider_id, id, at }: Own & { at: number }) =>
  tx
    .updateTable('incidents')
    .set({ withdrawn_at: null, withdrawn_reason: null, updated_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('withdrawn_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
