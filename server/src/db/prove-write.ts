import type { Database } from './engine.ts'

/** Writes a test row. Rejects if the database cannot store it durably, or lacked space for another row a moment ago. */
export const proveWrite = async (
  { transaction, isFull }: Pick<Database, 'transaction' | 'isFull'>,
  now: () => number,
): Promise<void> => {
  if (isFull()) throw new Error('The disk of the database is full')
  const values = { holder: 'readyz', expires_at: now() }
  await transaction((tx) =>
    tx
      .insertInto('leases')
      .values({ name: 'readyz', ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute(),
  )
}
