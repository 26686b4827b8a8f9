import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { index } from './build.ts'

/** Providers keep their names while their proof is stale, so the index of names includes them. */
export const up = async (tx: Tx) => {
  await sql.raw('drop index providers_verified_names').execute(tx)
  await index(tx, 'providers', ['name_skeleton'], {
    where: '(domain_verified_at is not null or domain_stale_since is not null) and deleted_at is null',
    name: 'providers_held_names',
  })
}
