import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** When a version got its digest: an edit can add a digest that someone else registered earlier. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'models', { digest_at: 'bigint' })
  // Its last edit may have been about something else, which only makes the digest younger.
  await sql`update models set digest_at = coalesce((
    select max(e.at) from events e where e.provider_id = models.provider_id and e.subject_id = models.id
      and e.action in ('model.edited', 'model.synced')), created_at)
    where model_digest is not null`.execute(tx)
}
