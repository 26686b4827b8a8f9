import { sql } from 'kysely'
import type { Db, Flag, Tx } from '../db/schema.ts'

/**
 * The domain of another listed provider that proved it earlier under a name that looks the same; of a query in which the
 * provider's row is called `p`.
 */
export const similarNameDomain = sql<string | null>`(select o.domain from providers o
  join proven_names n on n.domain = o.domain and n.name_skeleton = o.name_skeleton
  where o.name_skeleton = p.name_skeleton and o.id <> p.id and o.domain <> p.domain
    and o.domain_verified_at is not null and o.is_listed = 1 and o.unfit_name = 0
    and o.deactivated_at is null and o.deleted_at is null
    and (p.domain_verified_at is null or n.since < (select e.since from proven_names e
      where e.domain = p.domain and e.name_skeleton = p.name_skeleton))
  order by n.since, o.domain limit 1)`.as('similar_name_domain')

/** Remembers who proved a domain under its name. The first time counts. */
export const noteProvenName = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  tx
    .insertInto('proven_names')
    .columns(['domain', 'name_skeleton', 'since'])
    .expression(
      tx
        .selectFrom('providers')
        .select(['domain', 'name_skeleton', sql<number>`cast(${at} as bigint)`.as('since')])
        .where('id', '=', provider_id)
        .where('domain', 'is not', null)
        .where('name_skeleton', 'is not', null)
        .where('domain_verified_at', 'is not', null)
        .where('deleted_at', 'is', null) as never,
    )
    .onConflict((conflict) => conflict.columns(['domain', 'name_skeleton']).doNothing())
    .execute()

/* ---- looking at stored names ---- */

export const listUnchecked = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('names_checked', '=', sql.lit(0))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Zero rows where another looked meanwhile. */
export const takeUnchecked = (tx: Tx, id: string) =>
  tx
    .updateTable('providers')
    .set({ names_checked: 1 })
    .where('id', '=', id)
    .where('names_checked', '=', 0)
    .where('deleted_at', 'is', null)
    .returning(['company_name'])
    .executeTakeFirst()

export const listModelNames = (tx: Tx, provider_id: string) =>
  tx
    .selectFrom('models')
    .select(['id', 'display_name', 'model_name', 'version', 'family_name'])
    .where('provider_id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .execute()

export const markProvider = (tx: Tx, id: string, unfit_name: Flag) =>
  tx.updateTable('providers').set({ unfit_name }).where('id', '=', id).execute()

export const markModel = (tx: Tx, { provider_id, id }: { provider_id: string; id: string }, unfit_name: Flag) =>
  tx.updateTable('models').set({ unfit_name }).where('provider_id', '=', provider_id).where('id', '=', id).execute()

/** Providers of one of these names, by what it looks like. */
export const listNamed = async (db: Db, skeletons: readonly string[]): Promise<string[]> => {
  if (skeletons.length === 0) return []
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('name_skeleton', 'in', skeletons)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
