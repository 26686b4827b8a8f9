import { type SqlBool, sql } from 'kysely'
import type { Db, LinkUsageTable, Tx } from '../db/schema.ts'

export const findLinks = async (db: Db, provider_id: string, day: number) => {
  const row = await db
    .selectFrom('link_usage')
    .select('links')
    .where('provider_id', '=', provider_id)
    .where('day', '=', day)
    .executeTakeFirst()
  return Number(row?.links ?? 0)
}

/** Returns the totals of all replicas. */
export const addLinks = (tx: Tx, rows: readonly LinkUsageTable[]) =>
  tx
    .insertInto('link_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'day'])
        .doUpdateSet((update) => ({ links: update('link_usage.links', '+', update.ref('excluded.links')) })),
    )
    .returning(['provider_id', 'day', 'links'])
    .execute()

export const listDays = (db: Db, provider_id: string, first: number) =>
  db
    .selectFrom('link_usage')
    .select(['day', 'links'])
    .where('provider_id', '=', provider_id)
    .where('day', '>=', first)
    .execute()

export const findDomainProof = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select([
      'domain_verified_at as verified_at',
      'domain_stale_since as stale_since',
      'domain_checked_at as checked_at',
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Versions of models, and those registered since then. */
export const countModels = async (db: Db, { provider_id, since }: { provider_id: string; since: number }) => {
  // The index of an owner's models has these conditions.
  const own = db.selectFrom('models').where('provider_id', '=', provider_id).select(counted)
  const [total, today] = await Promise.all([
    own.where(sql<SqlBool>`created_at >= 0`).executeTakeFirstOrThrow(),
    own.where(sql<SqlBool>`created_at >= 0`).where('created_at', '>=', since).executeTakeFirstOrThrow(),
  ])
  return { total: Number(total.count), today: Number(today.count) }
}

export const countStored = async (db: Db, { provider_id, at }: { provider_id: string; at: number }) => {
  const keys = db
    .selectFrom('api_keys')
    .where('publisher_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
  const [api_keys, domains, publishers, active, deployments] = await Promise.all([
    keys.where('provider_id', '=', provider_id).select(counted).executeTakeFirstOrThrow(),
    db.selectFrom('provider_domains').where('provider_id', '=', provider_id).select(counted).executeTakeFirstOrThrow(),
    db
      .selectFrom('trusted_publishers')
      .where('provider_id', '=', provider_id)
      .select(counted)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('models')
      .where('provider_id', '=', provider_id)
      .where('deleted_at', 'is', null)
      .where('is_active', '=', 1)
      .select(counted)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('deployments')
      .where('provider_id', '=', provider_id)
      .where('deleted_at', 'is', null)
      .select(counted)
      .executeTakeFirstOrThrow(),
  ])
  return {
    api_keys: Number(api_keys.count),
    domains: Number(domains.count),
    publishers: Number(publishers.count),
    active_models: Number(active.count),
    deployments: Number(deployments.count),
  }
}

const counted = sql<number>`count(*)`.as('count')
