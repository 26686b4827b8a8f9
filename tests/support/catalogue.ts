import type { Insertable } from 'kysely'
import type { Database } from '../../server/src/db/engine.ts'
import type { ModelTable, ProviderTable, Tx } from '../../server/src/db/schema.ts'
import type { SearchService } from '../../server/src/search/service.ts'

const start = Date.UTC(2026, 0, 1)

type ProviderRow = Insertable<ProviderTable>
type ModelRow = Insertable<ModelTable>

export type ProviderInput = Partial<ProviderRow> & { id: string; company_name: string; domain: string; isVerified?: boolean }
export type ModelInput = Partial<ModelRow> & { id: string; provider_id: string; display_name: string }

/** A provider that is listed unless said otherwise. */
export const providerRow = ({ isVerified = false, ...input }: ProviderInput, index: number): ProviderRow => ({
  domain_nonce: 'nonce',
  website: `https://${input.domain}`,
  email: `ops@${input.domain}`,
  domain_verified_at: isVerified ? start : null,
  domain_verification_method: isVerified ? 'dns' : null,
  specialties: '[]',
  compliance_certifications: '[]',
  ai_specific_certifications: '[]',
  opened_count: 0,
  is_listed: 1,
  created_at: start + index,
  updated_at: start,
  ...input,
})

/** A public model, the only version of its identifier, unless said otherwise. */
export const modelRow = (input: ModelInput, index: number): ModelRow => ({
  model_name: input.display_name,
  api_model_identifier: input.id,
  version: '1.0',
  version_number: 1,
  description: '',
  endpoint: 'https://api.acme.example',
  model_type: 'text',
  capabilities: '[]',
  input_types: '[]',
  output_types: '[]',
  serving_regions: '[]',
  health_check_enabled: 0,
  health_status: 'unknown',
  bundle_status: 'unknown',
  require_deployment_proof: 0,
  is_public: 1,
  is_active: 1,
  is_latest: 1,
  is_archived: 0,
  is_demo: 0,
  created_at: start + index,
  ...input,
})

/** Writes providers and models, and what is found of them, as the services do it. */
export const writeCatalogue = async (
  database: Database,
  search: SearchService,
  { providers, models }: { providers: readonly ProviderInput[]; models: readonly ModelInput[] },
) => {
  await database.transaction(async (tx: Tx) => {
    for (const [index, input] of providers.entries()) {
      await tx.insertInto('providers').values(providerRow(input, index)).execute()
      await search.follow(tx, { provider_id: input.id, subject: ['provider', input.id] })
    }
    for (const [index, input] of models.entries()) {
      await tx.insertInto('models').values(modelRow(input, index)).execute()
      await search.follow(tx, { provider_id: input.provider_id, subject: ['model', input.id] })
    }
  })
}
