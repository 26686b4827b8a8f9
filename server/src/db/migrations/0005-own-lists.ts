import type { Tx } from '../schema.ts'
import { index } from './build.ts'

/**
 * The lists of an owner, newest first: each page starts at its place instead of sorting all rows. The condition is always true, but only
 * those lists state it, so no other query of a provider's rows uses this index by mistake.
 */
export const up = async (tx: Tx) => {
  for (const table of ['models', 'deployments'])
    await index(tx, table, ['provider_id', 'created_at', 'id'], { where: 'created_at >= 0', name: `${table}_of_owner` })
}
