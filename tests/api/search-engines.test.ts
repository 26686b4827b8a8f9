import { describe, expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { openFullText } from '../../server/src/db/full-text/open.ts'
import { plainFullText, plainReading } from '../../server/src/db/full-text/plain.ts'
import { postgresFullText } from '../../server/src/db/full-text/postgres.ts'
import { createSearchService } from '../../server/src/search/service.ts'
import { type ModelInput, type ProviderInput, writeCatalogue } from '../support/catalogue.ts'
import { type Engine, openTestDatabase } from '../support/databases.ts'

/** One set of rows for every engine. */
const providers: ProviderInput[] = [
  {
    id: 'prv_acme',
    company_name: 'Acme Labs',
    domain: 'acme.example',
    isVerified: true,
    description: 'Maps and weather.',
    hq_city: 'Oslo',
  },
  { id: 'prv_copy', company_name: 'Acme', domain: 'acme-ai.example', description: 'Not the real one.' },
  {
    id: 'prv_nord',
    company_name: 'Nørdwind Æther',
    domain: 'nordwind.example',
    isVerified: true,
    hq_city: 'São Paulo',
    hq_country: 'Brazil',
  },
  { id: 'prv_tiny', company_name: 'Tiny', domain: 'tiny.example', opened_count: 900, description: 'Acme compatible models.' },
  { id: 'prv_hide', company_name: 'Acme Hidden', domain: 'hidden.example', is_listed: 0 },
  { id: 'prv_left', company_name: 'Acme Left', domain: 'left.example', deactivated_at: 1 },
  { id: 'prv_gone', company_name: 'Acme Gone', domain: 'gone.example', deleted_at: 1 },
]
const models: ModelInput[] = [
  {
    id: 'mdl_1',
    provider_id: 'prv_acme',
    display_name: 'Atlas Chat',
    api_model_identifier: 'atlas-chat-4',
    description: 'Answers about maps.',
  },
  { id: 'mdl_2', provider_id: 'prv_acme', display_name: 'Atlas Vision', model_name: 'GPT-4', opened_count: 50, context_window: 1000 },
  { id: 'mdl_3', provider_id: 'prv_copy', display_name: 'Atlas', description: 'Exactly the name.', release_date: '2026-05' },
  {
    id: 'mdl_4',
    provider_id: 'prv_nord',
    display_name: 'Café Straße',
    description: 'Ünïcode ＡＢＣ and 日本語モデル',
    release_date: '2025',
  },
  { id: 'mdl_5', provider_id: 'prv_tiny', display_name: 'Metallama', description: 'An atlas of everything; 100% free_form "quoted".' },
  { id: 'mdl_6', provider_id: 'prv_acme', display_name: 'Atlas Private', is_public: 0 },
  { id: 'mdl_7', provider_id: 'prv_acme', display_name: 'Atlas Old', archived_at: 1, is_archived: 1 },
  { id: 'mdl_8', provider_id: 'prv_hide', display_name: 'Atlas of a hidden one' },
  { id: 'mdl_9', provider_id: 'prv_left', display_name: 'Atlas of one that left' },
  { id: 'mdl_a', provider_id: 'prv_acme', display_name: 'Atlas Gone', deleted_at: 1 },
  { id: 'mdl_b', provider_id: 'prv_nord', display_name: 'Near and far', description: 'A AND B OR C NOT D, near(a b)' },
]

const engines = {
  SQLite: ['sqlite', openFullText],
  PostgreSQL: ['postgres', openFullText],
  'PostgreSQL that has neither tsvector nor pg_trgm': [
    'postgres',
    async (database) => postgresFullText(database, { hasLexemes: false, hasTrigrams: false }),
  ],
  'any SQL database': ['sqlite', async (database) => plainFullText(plainReading(database))],
} as const satisfies Record<string, readonly [Engine, (database: Database) => ReturnType<typeof openFullText>]>

const startSearch = async ([engine, open]: (typeof engines)[keyof typeof engines], catalogue: Parameters<typeof writeCatalogue>[2]) => {
  const database = await openTestDatabase(engine)
  const search = createSearchService({ database, fullText: await open(database) })
  await writeCatalogue(database, search, catalogue)
  return { database, search }
}

const everything = { limit: 20, include_providers: true, include_models: true }

/** Each query and what it finds, best first: providers, then models. */
const queries: readonly { q: string; finds: readonly string[]; why: string }[] = [
  {
    q: 'atlas',
    finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'],
    why: 'proven before an unproven name that is exactly this; popular first; description last',
  },
  { q: 'ATLAS chat', finds: ['mdl_1'], why: 'all words' },
  { q: 'chat atlas', finds: ['mdl_1'], why: 'in any order' },
  { q: 'atlas-chat-4', finds: ['mdl_1'], why: 'an identifier' },
  { q: 'gpt4', finds: ['mdl_2'], why: 'a name without its hyphen' },
  { q: 'gpt 4', finds: ['mdl_2'], why: 'a name with a space for its hyphen' },
  {
    q: 'acme',
    finds: ['prv_acme', 'prv_copy', 'prv_tiny', 'mdl_2', 'mdl_1', 'mdl_3'],
    why: 'the proven domain before the copied name; models of providers',
  },
  { q: 'acme.example', finds: ['prv_acme', 'prv_tiny', 'prv_copy', 'mdl_2', 'mdl_1'], why: 'a domain, before others that have its words' },
  { q: 'acme-ai.example', finds: ['prv_copy'], why: 'a domain that nobody proved is found, too' },
  { q: 'NØRDWIND', finds: ['prv_nord', 'mdl_4', 'mdl_b'], why: 'a domain without its end' },
  { q: 'nordwind aether', finds: ['prv_nord', 'mdl_4', 'mdl_b'], why: 'a name by the letters that people have' },
  { q: 'cafe strasse', finds: ['mdl_4'], why: 'accents and ß, too' },
  { q: 'CAFÉ', finds: ['mdl_4'], why: 'accents and case do not count' },
  { q: 'unicode abc', finds: ['mdl_4'], why: 'wide letters are letters' },
  { q: '日本', finds: ['mdl_4'], why: 'two characters that begin a longer word' },
  { q: 'llama', finds: ['mdl_5'], why: 'within a name' },
  { q: 'lama', finds: ['mdl_5'], why: 'within a name' },
  { q: 'verything', finds: [], why: 'but not within a word of a description' },
  { q: 'a', finds: [], why: 'one character' },
  { q: ' a ', finds: [], why: 'one character and spaces' },
  { q: 'a!', finds: [], why: 'one letter' },
  { q: '"*%_()-', finds: [], why: 'only punctuation' },
  { q: '%%', finds: [], why: 'no wildcard' },
  { q: '__', finds: [], why: 'no wildcard' },
  { q: '100%', finds: ['mdl_5'], why: 'a number' },
  { q: 'free_form', finds: ['mdl_5'], why: 'two words' },
  { q: '"quoted"', finds: ['mdl_5'], why: 'quotes are no syntax' },
  { q: 'atlas* OR acme', finds: [], why: 'OR is a word that nobody has beside both' },
  { q: 'a AND b', finds: ['mdl_b'], why: 'AND is a word' },
  { q: 'NEAR(a b)', finds: ['mdl_b'], why: 'NEAR is a word' },
  { q: 'words:atlas', finds: [], why: 'no column' },
  { q: '^atlas', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'no anchor' },
  { q: "atlas' & !acme", finds: ['mdl_2', 'mdl_1', 'mdl_3'], why: 'no operator of tsquery' },
  { q: 'atlas \\', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'no escape' },
  { q: '¶atlas', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'marks of the index cannot be asked for' },
  { q: '§oslo', finds: [], why: 'nor those of places' },
  { q: 'hidden', finds: [], why: 'what nobody may see' },
]

describe.each(Object.entries(engines))('search on %s', (_name, setting) => {
  it('finds what the table says, in its order, and counts it', async () => {
    const { search } = await startSearch(setting, { providers, models })
    for (const { q, finds, why } of queries) {
      const found = await search.find({ q, ...everything })
      expect
        .soft(
          [...found.providers, ...found.models].map(({ id }) => id),
          `${q}: ${why}`,
        )
        .toEqual(finds)
      expect.soft(found, q).toMatchObject({ total: finds.length, total_is_lower_bound: false })
    }
  })
})
