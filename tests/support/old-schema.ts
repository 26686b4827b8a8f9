import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { dialects } from '../../server/src/db/dialect.ts'
import { migrations } from '../../server/src/db/migrations/index.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import type { Tx } from '../../server/src/db/schema.ts'
import { createEmptyDatabase, type Engine } from './databases.ts'

/** A version as the first schema had it. */
export const oldModel = (id: string, index: number) => ({
  id,
  provider_id: 'prv_old',
  display_name: 'Atlas',
  model_name: 'Atlas',
  api_model_identifier: `atlas-${index}`,
  version: '1',
  version_number: 1,
  description: 'A model of old.',
  endpoint: 'https://api.acme.example',
  model_type: 'language',
  capabilities: '[]',
  input_types: '[]',
  output_types: '[]',
  serving_regions: '[]',
  health_check_enabled: index === 1 ? (1 as const) : (0 as const),
  health_status: 'unknown' as const,
  bundle_status: 'unknown' as const,
  require_deployment_proof: 0 as const,
  is_public: 1 as const,
  is_active: 1 as const,
  is_latest: 1 as const,
  is_archived: 0 as const,
  is_demo: 0 as const,
  created_at: 5,
  first_verified_at: index === 2 ? null : 7,
})

/** A database as it was before a migration ran, with the rows that the registry had then. */
export const openBefore = async (engine: Engine, name: string, fill: (tx: Tx) => Promise<unknown>) => {
  const database = await openDatabase(await createEmptyDatabase(engine))
  onTestFinished(() => database.close())
  const end = migrations.findIndex((migration) => migration.name === name)
  if (end < 0) throw new Error(`There is no migration ${name}`)
  await database.transaction(async (tx) => {
    await tx.schema
      .createTable('migrations')
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const migration of migrations.slice(0, end)) {
      await migration.up(tx, dialects[engine])
      await tx.insertInto('migrations').values({ name: migration.name, applied_at: 1 }).execute()
    }
    await fill(tx)
  })
  return database
}

/** Every version since 0002 has these columns. */
export const insertProvider = (
  tx: Tx,
  id: string,
  { skeleton = null, verified_at = null }: { skeleton?: string | null; verified_at?: number | null } = {},
) =>
  sql`insert into providers (id, company_name, name_skeleton, domain, domain_nonce, domain_verified_at, specialties,
      compliance_certifications, ai_specific_certifications, opened_count, is_listed, created_at, updated_at)
    values (${id}, 'Acme Labs', ${skeleton}, ${`${id.slice(4)}.example`}, 'nonce', ${verified_at}, '[]', '[]', '[]', 0, 1, 5, 5)`.execute(
    tx,
  )
