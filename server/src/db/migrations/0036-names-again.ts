import type { Tx } from '../schema.ts'

/** The hourly job checks every name again, because they may no longer contain the domain of another. */
export const up = async (tx: Tx) => {
  await tx.updateTable('providers').set({ names_checked: 0 }).execute()
}
