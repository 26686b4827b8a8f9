import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Since when the primary domain has been proven without a gap: a change of method proves it anew, and a stale proof has no time. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'providers', { domain_since: 'bigint' })
  await sql`update providers set domain_since = (
    select d.verified_at from provider_domains d where d.provider_id = providers.id and d.is_primary = 1)`.execute(tx)
}
