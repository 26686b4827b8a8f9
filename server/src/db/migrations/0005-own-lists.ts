import type { Tx } from '../schema.ts'
import { index } from './build.ts'

/**
 * The lists of an owner, newest first: each page is entered at its place instead of sorting all rows. The condition is always
 * true, but only those lists state it: no other question of a provider's rows is answered along this index by mistake.
 */
export const up = async (tx: Tx) => {
  for (const table of ['models', 'deployments'])
    await index(tx, table, ['provider_id', 'created_at', 'id'], { where: 'created_at >= 0', name: `${table}_of_owner` })
}
