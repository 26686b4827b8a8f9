import type { Database } from '../db/engine.ts'
import { idsFrom } from '../db/id-times.ts'
import { forEachProvider } from './each-provider.ts'

const dayMs = 24 * 3_600_000
const batch = 2_000

/** The registry's own changes are events of this owner. */
const registry = 'registry'

const sweepEventsOf = async (
  database: Database,
  { provider_id, before, signal }: { provider_id: string; before: number; signal: AbortSignal },
) => {
  let removed = batch
  while (removed === batch && !signal.aborted) {
    const { numDeletedRows } = await database.transaction((tx) =>
      tx
        .deleteFrom('events')
        .where('provider_id', '=', provider_id)
        .where('id', 'in', (rows) =>
          rows
            .selectFrom('events')
            .select('id')
            .where('provider_id', '=', provider_id)
            .where('id', '<', idsFrom('evt', before))
            .orderBy('id')
            .limit(batch),
        )
        .executeTakeFirst(),
    )
    removed = Number(numDeletedRows)
  }
}

/** Deletes events that are older than that many days; keeps all of them by default. */
export const createEventRetention =
  ({ database, days, now }: { database: Database; days: number | null; now: () => number }) =>
  async (signal: AbortSignal): Promise<void> => {
    if (days === null) return
    const before = now() - days * dayMs
    await sweepEventsOf(database, { provider_id: registry, before, signal })
    await forEachProvider(database, signal, (provider_id) => sweepEventsOf(database, { provider_id, before, signal }))
  }
