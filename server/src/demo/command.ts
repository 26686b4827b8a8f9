import { NewModel, type TrailAction } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import type { Database } from '../db/engine.ts'
import { openFullText } from '../db/full-text/open.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { emptyProfile } from '../db/provider-fields.ts'
import { createEventRecorder } from '../events/service.ts'
import { createNewId } from '../ids.ts'
import { columnsOf } from '../models/record.ts'
import { insertModel } from '../models/store.ts'
import { insertProvider } from '../providers/store.ts'
import { createListings } from '../search/listings.ts'

/** It has no key and claims no domain, so it can never be shown as verified. */
const provider = {
  company_name: 'Example Provider (demonstration)',
  description: 'Sample data of this registry. There is no company behind it.',
  website: 'https://demo.example',
  email: 'nobody@demo.example',
}

const samples = [
  {
    display_name: 'Example Chat (demonstration)',
    api_model_identifier: 'example-chat-demo',
    model_type: 'language',
    version: '2.1.0',
  },
  {
    display_name: 'Example Vision (demonstration)',
    api_model_identifier: 'example-vision-demo',
    model_type: 'multimodal',
    version: '1.0.0',
  },
]

/** Not before the command runs: parsing them takes a tenth of a registry's start. */
const parseSamples = () =>
  samples.map((model) =>
    NewModel.parse({
      ...model,
      description: 'Sample data: shows what the page of a model looks like. This model does not exist.',
      endpoint: 'https://demo.example/v1',
    }),
  )

const seed = async (database: Database, now: () => number): Promise<boolean> => {
  const newId = createNewId(now)
  const listings = createListings({ database, fullText: await openFullText(database), now })
  const events = createEventRecorder({ now, newId })
  return database.transaction(async (tx) => {
    if (await tx.selectFrom('models').select('id').where('is_demo', '=', 1).executeTakeFirst()) return false
    const provider_id = newId('prv')
    const at = now()
    const record = (subject: readonly ['provider' | 'model', string], action: TrailAction) =>
      events.record(tx, { provider_id, actor: 'registry', action, subject, after: { is_demo: true } })
    await insertProvider(tx, {
      ...emptyProfile,
      ...provider,
      id: provider_id,
      email_norm: provider.email,
      is_listed: 1,
      created_at: at,
      updated_at: at,
    })
    await listings.providerChanged(tx, provider_id)
    await record(['provider', provider_id], 'provider.registered')
    for (const model of parseSamples()) {
      const id = newId('mdl')
      await insertModel(tx, {
        ...columnsOf(model),
        id,
        provider_id,
        version_number: 1,
        predecessor_id: null,
        created_at: at,
        is_demo: 1,
      })
      await listings.modelChanged(tx, { provider_id, id })
      await record(['model', id], 'model.registered')
    }
    return true
  })
}

/** Fills a registry with models that are clearly marked as samples. Idempotent. */
export const runDemoCommand = async ({ databaseUrl }: Config) => {
  const database = await openDatabase(databaseUrl)
  try {
    await migrate(database, Date.now)
    const isNew = await seed(database, Date.now)
    process.stdout.write(
      isNew ? `Added ${samples.length} sample models, marked as such.\n` : 'The sample data already exists.\n',
    )
  } finally {
    await database.close()
  }
}
