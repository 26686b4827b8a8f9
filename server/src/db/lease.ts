import { Refusal } from '@countersign/sdk/contract'
import type { Database } from './engine.ts'

/**
 * Runs `work` while holding a named lease that two processes cannot both hold. A process that dies loses it when it expires. The claim is
 * one compare-and-set, so it works without advisory locks.
 */
export const withLease = async <T>(
  { database, now, holder }: { database: Database; now: () => number; holder: string },
  { name, ttlMs, waitMs }: { name: string; ttlMs: number; waitMs: number },
  work: () => Promise<T>,
): Promise<T> => {
  const claim = () =>
    database.transaction(async (tx) => {
      const claimed = await tx
        .insertInto('leases')
        .values({ name, holder, expires_at: now() + ttlMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, expires_at: now() + ttlMs })
            .where('leases.expires_at', '<=', now()),
        )
        .returning('holder')
        .executeTakeFirst()
      return claimed !== undefined
    })
  const deadline = Date.now() + waitMs
  while (!(await claim())) {
    if (Date.now() > deadline) throw new Refusal('unavailable', `Another process holds the lease "${name}".`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  try {
    return await work()
  } finally {
    await database.transaction((tx) =>
      tx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute(),
    )
  }
}
