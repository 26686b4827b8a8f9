import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../server/src/db/engine.ts'
import type { ModelTable, ProviderTable, Tx } from '../../server/src/db/schema.ts'
import type { Listings } from '../../server/src/search/listings.ts'

const start = Date.UTC(2026, 0, 1)
/** Proofs that are never overdue. */
const never = Date.UTC(2100, 0, 1)

type ProviderRow = Insertable<ProviderTable>
type ModelRow = Insertable<ModelTable>

export type ProviderInput = Partial<ProviderRow> & {
  id: string
  company_name: string
  domain: string
  isVerified?: boolean
}
export type ModelInput = Partial<ModelRow> & { id: string; provider_id: string; display_name: string }

/** A provider, by default listed. */
const providerRow = ({ isVerified = false, ...input }: ProviderInput, index: number): ProviderRow => ({
  domain_nonce: 'nonce',
  website: `https://${input.domain}`,
  email: `ops@${input.domain}`,
  domain_verified_at: isVerified ? start : null,
  domain_checked_at: never,
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

/** A public model, by default the only version of its identifier. */
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

/** Writes providers and models with their search rows, like the services. */
export const writeCatalogue = async (
  database: Database,
  listings: Listings,
  { providers, models }: { providers: readonly ProviderInput[]; models: readonly ModelInput[] },
) => {
  const writeProvider = (input: ProviderInput, index: number) => async (tx: Tx) => {
    await tx.insertInto('providers').values(providerRow(input, index)).execute()
    await listings.providerChanged(tx, input.id)
  }
  const writeModel = (input: ModelInput, index: number) => async (tx: Tx) => {
    await tx.insertInto('models').values(modelRow(input, index)).execute()
    await listings.modelChanged(tx, input)
  }
  const writes = [...providers.map(writeProvider), ...models.map(writeModel)]
  for (let from = 0; from < writes.length; from += 50)
    await database.transaction(async (tx) => {
      for (const write of writes.slice(from, from + 50)) await write(tx)
    })
}

export const vocabulary =
  'atlas chat atlas-chat Café gpt 4 4o 7B llama metallama Ünï open source 日本語 acme northwind a of'.split(' ')

/** Seeded, so that rows and changes are always the same. */
const createDice = (seed: number) => {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  return {
    below,
    words: (count: number) => Array.from({ length: count }, () => vocabulary[below(vocabulary.length)]).join(' '),
  }
}

export const randomCatalogue = (seed: number) => {
  const dice = createDice(seed)
  const madeProviders: ProviderInput[] = Array.from({ length: 8 }, (_, index) => ({
    id: `prv_${index}`,
    company_name: dice.words(1 + dice.below(2)),
    domain: `${dice
      .words(1)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')}x${index}.example`,
    isVerified: dice.below(2) === 0,
    description: dice.words(4),
    opened_count: dice.below(9),
  }))
  const madeModels: ModelInput[] = Array.from({ length: 60 }, (_, index) => ({
    id: `mdl_${String(index).padStart(2, '0')}`,
    provider_id: `prv_${dice.below(8)}`,
    display_name: dice.words(1 + dice.below(3)),
    description: dice.words(6),
    opened_count: dice.below(9),
    release_date: dice.below(3) === 0 ? null : `${2024 + dice.below(2)}-05`,
    context_window: dice.below(4) === 0 ? null : 1_000 * (1 + dice.below(5)),
  }))
  return { providers: madeProviders, models: madeModels }
}

/** Changes to any rows, each followed as the services do it. */
export const shake = async (database: Database, listings: Listings, seed: number) => {
  const dice = createDice(seed)
  for (let step = 0; step < 60; step++) {
    const provider_id = `prv_${dice.below(8)}`
    const model = `mdl_${String(dice.below(60)).padStart(2, '0')}`
    const bit = dice.below(2) as 0 | 1
    const text = dice.words(2)
    const kind = dice.below(8)
    await database.transaction(async (tx) => {
      const setProvider = (set: Partial<Selectable<ProviderTable>>) =>
        tx.updateTable('providers').set(set).where('id', '=', provider_id).execute()
      const setModel = (set: Partial<Selectable<ModelTable>>) =>
        tx.updateTable('models').set(set).where('id', '=', model).execute()
      if (kind === 0) await setProvider({ is_listed: bit })
      if (kind === 1) await setProvider({ domain_verified_at: bit ? 1 : null })
      if (kind === 2) await setProvider({ company_name: text })
      if (kind === 3) await setProvider({ opened_count: dice.below(20) })
      if (kind === 4) await setModel({ is_public: bit })
      if (kind === 5) await setModel({ archived_at: bit ? 1 : null })
      if (kind === 6) await setModel({ display_name: text })
      if (kind === 7) await setModel({ opened_count: dice.below(20), description: text })
      const owner = await tx
        .selectFrom('models')
        .select('provider_id')
        .where('id', '=', model)
        .executeTakeFirstOrThrow()
      if (kind < 4) await listings.providerChanged(tx, provider_id)
      else await listings.modelChanged(tx, { provider_id: owner.provider_id, id: model })
    })
  }
}
