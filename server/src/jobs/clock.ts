import { sql } from 'kysely'
import type { Database } from '../db/engine.ts'
import { idsFrom } from '../db/id-times.ts'
import type { Tx } from '../db/schema.ts'

/** How far the clocks of replicas may differ. */
const toleranceMs = 5_000
const dayMs = 24 * 3_600_000
const providersAtOnce = 200

/** Links from the future end for good, so that they are not valid again when their time comes. */
const endFutureLinks = async (database: Database, at: number) => {
  let after = ''
  for (;;) {
    const rows = await database.read
      .selectFrom('providers')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(providersAtOnce)
      .execute()
    const last = rows.at(-1)?.id
    if (last === undefined) return
    await database.transaction((tx) =>
      tx
        .updateTable('verifications')
        .set((row) => ({ expires_at: row.ref('issued_at') }))
        .where(
          'provider_id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('id', '>=', idsFrom('vrf', at))
        .where('issued_at', '>', at + toleranceMs)
        .execute(),
    )
    after = last
  }
}

/** Each would otherwise wait until the clock has caught up. */
const bringForward = async (tx: Tx, at: number) => {
  await tx
    .updateTable('mails')
    .set({ due_at: at })
    .where('due_at', 'is not', null)
    .where('created_at', '>', at + toleranceMs)
    .execute()
  await tx
    .updateTable('models')
    .set({ health_due_at: at })
    .where(sql<boolean>`health_due_at > cast(${at} as bigint) + health_interval_seconds * 1000`)
    .execute()
  await tx
    .updateTable('models')
    .set({ bundle_due_at: at })
    .where('bundle_due_at', '>', at + dayMs)
    .execute()
  await tx
    .updateTable('provider_domains')
    .set({ due_at: at })
    .where('due_at', '>', at + dayMs)
    .execute()
}

/** Undoes what a clock that was ahead left behind. Idempotent. */
export const createClockRepair =
  ({ database, now }: { database: Database; now: () => number }) =>
  async (): Promise<void> => {
    const at = now()
    await database.transaction((tx) => bringForward(tx, at))
    await endFutureLinks(database, at)
  }
