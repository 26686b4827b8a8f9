import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** When each deployment last proved itself; and incidents can be counted without reading the reports. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'deployments', { last_proven_at: 'bigint', last_proven_by: 'text', last_used_at: 'bigint' })
  await tx
    .updateTable('deployments')
    .set((row) => ({
      last_proven_at: row.ref('proven_at'),
      last_proven_by: row.ref('proven_by'),
      last_used_at: row.ref('proven_at'),
    }))
    .where('proven_at', 'is not', null)
    .execute()
  await index(tx, 'incidents', ['provider_id', 'id', 'status', 'severity'], { name: 'incidents_of_owner' })
}
