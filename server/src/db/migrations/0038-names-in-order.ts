import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { index } from './build.ts'

/**
 * The index of names has what decides between providers with one name. Reading a link then sorts nothing, and passes over the link's own
 * provider without reading its row.
 */
export const up = async (tx: Tx) => {
  await sql.raw('drop index providers_held_names').execute(tx)
  await index(tx, 'providers', ['name_skeleton', 'name_since', 'domain', 'id'], {
    where: '(domain_verified_at is not null or domain_stale_since is not null) and deleted_at is null',
    name: 'providers_held_names',
  })
}
