import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** How often each link was opened again; and the trail of a kind of thing, or of one action, is entered at its place. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'verifications', { reopened_count: 'integer! default 0' })
  for (const column of ['subject_type', 'action']) await index(tx, 'events', ['provider_id', column, 'id'])
}
