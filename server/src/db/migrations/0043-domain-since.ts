import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Since when the primary domain has been proven without a gap: a change of method dates the proof again, and a stale one has no date. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'providers', { domain_since: 'bigint' })
  await sql`update providers set domain_since = (
    select d.verified_at from provider_domains d where d.provider_id = providers.id and d.is_primary = 1)`.execute(tx)
}
