import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** How often each link was reopened; and the trail can be filtered by kind of subject or by action without a scan. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'verifications', { reopened_count: 'integer! default 0' })
  for (const column of ['subject_type', 'action']) await index(tx, 'events', ['provider_id', column, 'id'])
}
