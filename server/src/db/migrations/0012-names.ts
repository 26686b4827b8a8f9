import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/**
 * Names that break the rules are unlisted; a job checks the stored ones. The table records since when a provider has had its name and a
 * proven domain. Reports count for a domain and an identifier, so that they outlive versions and accounts.
 */
export const up = async (tx: Tx, dialect: Dialect) => {
  await dialect.allowLongStatements(tx)
  await addColumns(tx, 'providers', {
    unfit_name: 'integer! default 0',
    names_checked: 'integer! default 0',
    name_since: 'bigint',
  })
  await addColumns(tx, 'models', { unfit_name: 'integer! default 0' })
  await index(tx, 'providers', ['id'], {
    where: 'names_checked = 0 and deleted_at is null',
    name: 'providers_names_unchecked',
  })

  await sql`update providers set name_since = domain_verified_at where name_skeleton is not null`.execute(tx)

  await table(tx, 'samples', { model_id: 'text!', added_at: 'bigint!' }, ['model_id'])
  await index(tx, 'models', ['id'], { where: 'is_demo = 1', name: 'models_demo' })

  await addColumns(tx, 'incidents', {
    domain: 'text',
    api_model_identifier: 'text',
    withdrawn_at: 'bigint',
    withdrawn_reason: 'text',
  })
  await sql`update incidents set
    api_model_identifier = (select lower(m.api_model_identifier) from models m where m.provider_id = incidents.provider_id and m.id = incidents.model_id),
    domain = (select p.domain from providers p where p.id = incidents.provider_id and p.domain_verified_at is not null)`.execute(
    tx,
  )
  // Reports that the accused provider dismissed count again.
  await sql`update incidents set counts_publicly = 1 where status = 'dismissed' and is_verified_report = 1`.execute(tx)
  await index(tx, 'incidents', ['provider_id', 'api_model_identifier', 'created_at'], {
    where: 'counts_publicly = 1',
    name: 'incidents_public_of_provider',
  })
  await index(tx, 'incidents', ['domain', 'api_model_identifier', 'created_at'], {
    where: 'counts_publicly = 1 and domain is not null',
    name: 'incidents_public_of_domain',
  })
}
