import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Since when a domain has been proven without a gap: a change of method dates its proof again. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'provider_domains', { proven_since: 'bigint' })
  await addColumns(tx, 'providers', { domain_since: 'bigint' })
  await sql`update provider_domains set proven_since = verified_at`.execute(tx)
  await sql`update providers set domain_since = (
    select d.proven_since from provider_domains d where d.provider_id = providers.id and d.is_primary = 1)`.execute(tx)
}
