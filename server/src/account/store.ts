import type { IssuedVerification, TrailEvent } from '@countersign/sdk/contract'
import { sql } from 'kysely'
import { idsBefore, idsFrom } from '../db/id-times.ts'
import { type LinkState, linkStateColumns, selectFromLinks } from '../db/links.ts'
import { type PageQuery, readPage } from '../db/paging.ts'
import type { Db, Flag, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { selectTrail } from '../db/trail.ts'

interface ByTime {
  sort: 'created' | '-created'
}

const directionOf = (sort: ByTime['sort']) => (sort === 'created' ? 'asc' : 'desc')

/* ---- links ---- */

const maxCounted = 10_000

type Summary = Pick<IssuedVerification, 'result' | 'strength' | 'reason' | 'change' | 'deployment_binding' | 'origin'>
export type Summarize = (row: LinkState) => Summary

/**
 * IDs sort by creation time and follow the provider in the index, so every page costs the same. `summarize` computes the current state
 * of a link.
 */
export const listVerifications = async (
  db: Db,
  provider_id: string,
  { model_id, sort, ...page }: PageQuery & ByTime & { model_id?: string | undefined },
  summarize: Summarize,
) => {
  const own = selectFromLinks(db)
    .select(linkStateColumns)
    .select([
      'v.id',
      'v.model_id',
      's.display_name as model_name',
      's.version as model_version',
      'v.opened_at',
      'v.reopened_count',
      'v.user_fp',
      'v.challenge',
      'v.metadata',
      sql<number>`(select count(*) from bindings b where b.provider_id = v.provider_id and b.verification_id = v.id)`.as(
        'bindings',
      ),
    ])
    .where('v.provider_id', '=', provider_id)
  const id = sql.ref('v.id')
  const { rows, next_cursor } = await readPage(
    model_id === undefined ? own : own.where('v.model_id', '=', model_id),
    { key: id, keyType: 'string', id, direction: directionOf(sort) },
    page,
  )
  const verifications: IssuedVerification[] = rows.map(({ bindings, metadata, opened_at, ...row }) => ({
    ...summarize(row),
    id: row.id,
    model_id: row.model_id,
    model_name: row.model_name,
    model_version: row.model_version,
    deployment_id: row.deployment_id,
    issued_at: timeOf(row.issued_at),
    expires_at: timeOf(row.expires_at),
    opened_at: opened_at === null ? null : timeOf(opened_at),
    opened_count: opened_at === null ? 0 : 1 + row.reopened_count,
    user_fp: row.user_fp,
    challenge: row.challenge,
    metadata: metadata === null ? null : JSON.parse(metadata),
    bound_to_response: bindings > 0,
  }))
  return { verifications, next_cursor }
}

/** Counts the newest ten thousand; beyond them the number is marked as a lower bound. */
export const countVerifications = async (db: Db, provider_id: string, model_id: string | undefined) => {
  const newest = db
    .selectFrom('verifications')
    .select('model_id')
    .where('provider_id', '=', provider_id)
    .orderBy('id', 'desc')
    .limit(maxCounted + 1)
  const isOfModel = model_id === undefined ? sql.lit(1) : sql`case when n.model_id = ${model_id} then 1 else 0 end`
  const { seen, matching } = await db
    .selectFrom(newest.as('n'))
    .select((of) => [of.fn.countAll<number>().as('seen'), sql<number>`coalesce(sum(${isOfModel}), 0)`.as('matching')])
    .executeTakeFirstOrThrow()
  return { total: Math.min(matching, maxCounted), total_is_lower_bound: seen > maxCounted }
}

interface Period {
  /** Days since 1970, UTC, both inclusive. */
  first: number
  last: number
}

export const listOpeningsByDay = (
  db: Db,
  provider_id: string,
  { first, last }: Period,
  model_id: string | undefined,
) => {
  let openings = db
    .selectFrom('openings_by_day')
    .select((of) => ['day', of.fn.sum<number>('openings').as('openings')])
    .where('provider_id', '=', provider_id)
    .where('day', '>=', first)
    .where('day', '<=', last)
  if (model_id !== undefined) openings = openings.where('model_id', '=', model_id)
  return openings.groupBy('day').execute()
}

export const listMostOpened = (db: Db, provider_id: string, { first, last }: Period, limit: number) =>
  db
    .selectFrom('openings_by_day as o')
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'o.provider_id').onRef('m.id', '=', 'o.model_id'),
    )
    .select((of) => [
      'o.model_id',
      'm.display_name as model_name',
      'm.api_model_identifier',
      'm.version as model_version',
      of.fn.sum<number>('o.openings').as('verifications'),
    ])
    .where('o.provider_id', '=', provider_id)
    .where('o.day', '>=', first)
    .where('o.day', '<=', last)
    .groupBy(['o.model_id', 'm.display_name', 'm.api_model_identifier', 'm.version'])
    .orderBy('verifications', 'desc')
    .orderBy('o.model_id', 'desc')
    .limit(limit)
    .execute()

export const countOpenings = async (db: Db, provider_id: string, model_id: string | undefined) => {
  let models = db
    .selectFrom('models')
    .select((of) => of.fn.coalesce(of.fn.sum<number>('opened_count'), of.lit(0)).as('total'))
    .where('provider_id', '=', provider_id)
  if (model_id !== undefined) models = models.where('id', '=', model_id)
  return (await models.executeTakeFirstOrThrow()).total
}

/* ---- the trail ---- */

type EventQuery = PageQuery &
  ByTime & {
    [Name in 'subject_type' | 'subject_id' | 'action' | 'since' | 'until']?: string | undefined
  }

export const listEvents = async (
  db: Db,
  provider_id: string,
  { subject_type, subject_id, action, since, until, sort, ...page }: EventQuery,
) => {
  let own = selectTrail(db, provider_id)
  if (subject_type !== undefined) own = own.where('e.subject_type', '=', subject_type)
  if (subject_id !== undefined) own = own.where('e.subject_id', '=', subject_id)
  if (action !== undefined) own = own.where('e.action', '=', action)
  if (since !== undefined)
    own = own.where('e.id', '>=', idsFrom('evt', Date.parse(since))).where('e.at', '>=', Date.parse(since))
  if (until !== undefined)
    own = own.where('e.id', '<=', idsBefore('evt', Date.parse(until))).where('e.at', '<', Date.parse(until))
  const id = sql.ref('e.id')
  const { rows, next_cursor } = await readPage(
    own,
    { key: id, keyType: 'string', id, direction: directionOf(sort) },
    page,
  )
  const events: TrailEvent[] = rows.map(({ at, before, after, sort_key: _, ...row }) => ({
    ...row,
    at: timeOf(at),
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }))
  return { events, next_cursor }
}

/* ---- notifications ---- */

export const findNotifications = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['notify_incidents', 'notify_weekly', 'notify_security'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const setNotifications = (
  tx: Tx,
  { id, at, ...set }: { id: string; at: number; notify_incidents?: Flag; notify_weekly?: Flag; notify_security?: Flag },
) =>
  tx
    .updateTable('providers')
    .set({ ...set, updated_at: at })
    .where('id', '=', id)
    .execute()
