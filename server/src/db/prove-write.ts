import type { Database } from './engine.ts'

/** Writes a row without meaning. Rejects if the database cannot store it durably. */
export const proveWrite = async ({ transaction }: Pick<Database, 'transaction'>, now: () => number): Promise<void> => {
  const values = { holder: 'readyz', expires_at: now() }
  await transaction((tx) =>
    tx
      .insertInto('leases')
      .values({ name: 'readyz', ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute(),
  )
}
