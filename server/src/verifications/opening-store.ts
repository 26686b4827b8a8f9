import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'

interface Opening {
  provider_id: string
  id: string
  model_id: string
  at: number
  day: number
  /** The visitor's network, hashed. */
  viewer: string
}

/** The first opening by a person, and the new count if it was counted; `undefined` for every later one, which only its provider sees. */
export const markOpened = async (
  tx: Tx,
  { provider_id, id, model_id, at, day, viewer }: Opening,
): Promise<{ providers_count: number; models_count: number } | undefined> => {
  const opened = await tx
    .updateTable('verifications')
    .set({ opened_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!opened) {
    await tx
      .updateTable('verifications')
      .set({ reopened_count: sql`reopened_count + 1` })
      .where('provider_id', '=', provider_id)
      .where('id', '=', id)
      .execute()
    return undefined
  }
  await tx
    .insertInto('openings_by_day')
    .values({ provider_id, day, model_id, openings: 1 })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'day', 'model_id']).doUpdateSet({ openings: sql`openings_by_day.openings + 1` }),
    )
    .execute()
  const isCounted = await isNewViewer(tx, { provider_id, day, viewer })
  const provider =
    isCounted &&
    (await tx
      .updateTable('providers')
      .set({ opened_count: sql`opened_count + 1` })
      .where('id', '=', provider_id)
      .returning('opened_count')
      .executeTakeFirst())
  const model = await tx
    .updateTable('models')
    .set({
      opened_count: sql<number>`opened_count + 1`,
      first_verified_at: sql<number>`coalesce(first_verified_at, cast(${at} as bigint))`,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', model_id)
    .returning('opened_count')
    .executeTakeFirst()
  return { providers_count: provider ? provider.opened_count : 0, models_count: model?.opened_count ?? 0 }
}

/** Once for each network and day. Rows of earlier days are deleted. */
const isNewViewer = async (
  tx: Tx,
  { provider_id, day, viewer }: Pick<Opening, 'provider_id' | 'day' | 'viewer'>,
): Promise<boolean> => {
  const noted = await tx
    .insertInto('opened_by_day')
    .values({ provider_id, day, viewer })
    .onConflict((conflict) => conflict.columns(['provider_id', 'day', 'viewer']).doNothing())
    .returning('day')
    .executeTakeFirst()
  if (!noted) return false
  await tx.deleteFrom('opened_by_day').where('provider_id', '=', provider_id).where('day', '<', day).execute()
  return true
}
