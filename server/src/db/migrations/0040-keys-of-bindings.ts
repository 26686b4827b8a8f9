import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/**
 * The key that bound an answer, so that a leaked key's answers no longer count as the provider's. The hourly job checks every name again,
 * because more words and signs are reserved.
 */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'bindings', { api_key_id: 'text' })
  await tx.updateTable('providers').set({ names_checked: 0 }).execute()
}
