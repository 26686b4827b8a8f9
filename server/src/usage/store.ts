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
