import type { ModelQuery } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { openFullText } from '../../server/src/db/full-text/open.ts'
import { plainFullText, plainReading } from '../../server/src/db/full-text/plain.ts'
import { postgresFullText } from '../../server/src/db/full-text/postgres.ts'
import { createListings } from '../../server/src/search/listings.ts'
import {
  documentOfModel,
  documentOfProvider,
  placeOf,
  ranked,
  searchQueryOf,
  titleOf,
} from '../../server/src/search/rules.ts'
import { createSearchService } from '../../server/src/search/service.ts'
import {
  type ModelInput,
  type ProviderInput,
  randomCatalogue,
  shake,
  vocabulary,
  writeCatalogue,
} from '../support/catalogue.ts'
import { type Engine, openTestDatabase } from '../support/databases.ts'
import { sampled } from '../support/full.ts'

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
  {
    id: 'prv_tiny',
    company_name: 'Tiny',
    domain: 'tiny.example',
    opened_count: 900,
    description: 'Acme compatible models.',
  },
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
  {
    id: 'mdl_2',
    provider_id: 'prv_acme',
    display_name: 'Atlas Vision',
    model_name: 'GPT-4',
    opened_count: 50,
    context_window: 1000,
  },
  {
    id: 'mdl_3',
    provider_id: 'prv_copy',
    display_name: 'Atlas',
    description: 'Exactly the name.',
    release_date: '2026-05',
  },
  {
    id: 'mdl_4',
    provider_id: 'prv_nord',
    display_name: 'Café Straße',
    description: 'Ünïcode ＡＢＣ and 日本語モデル',
    release_date: '2025',
  },
  {
    id: 'mdl_5',
    provider_id: 'prv_tiny',
    display_name: 'Metallama',
    description: 'An atlas of everything; 100% free_form "quoted".',
  },
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
    async () => postgresFullText({ hasLexemes: false, hasTrigrams: false }),
  ],
  'any SQL database': ['sqlite', async () => plainFullText(plainReading)],
} as const satisfies Record<string, readonly [Engine, (database: Database) => ReturnType<typeof openFullText>]>

const startSearch = async (
  [engine, open]: (typeof engines)[keyof typeof engines],
  catalogue: Parameters<typeof writeCatalogue>[2],
) => {
  const database = await openTestDatabase(engine)
  const fullText = await open(database)
  const listings = createListings({ database, fullText, now: Date.now })
  await writeCatalogue(database, listings, catalogue)
  return { database, listings, search: createSearchService({ database, fullText, now: Date.now }) }
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
  {
    q: 'acme.example',
    finds: ['prv_acme', 'prv_tiny', 'prv_copy', 'mdl_2', 'mdl_1'],
    why: 'a domain, before others that have its words',
  },
  { q: 'acme-ai.example', finds: ['prv_copy'], why: 'an unproven domain is found as well' },
  { q: 'NØRDWIND', finds: ['prv_nord', 'mdl_4', 'mdl_b'], why: 'a domain without its end' },
  { q: 'nordwind aether', finds: ['prv_nord', 'mdl_4', 'mdl_b'], why: 'a name by the letters that people have' },
  { q: 'cafe strasse', finds: ['mdl_4'], why: 'accents and ß' },
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
  { q: '"quoted"', finds: ['mdl_5'], why: 'quotes are not syntax' },
  { q: 'atlas* OR acme', finds: [], why: 'OR is a word that neither has' },
  { q: 'a AND b', finds: ['mdl_b'], why: 'AND is a word' },
  { q: 'NEAR(a b)', finds: ['mdl_b'], why: 'NEAR is a word' },
  { q: 'words:atlas', finds: [], why: 'no column' },
  { q: '^atlas', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'no anchor' },
  { q: "atlas' & !acme", finds: ['mdl_2', 'mdl_1', 'mdl_3'], why: 'no operator of tsquery' },
  { q: 'atlas \\', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'no escape' },
  { q: '¶atlas', finds: ['mdl_2', 'mdl_1', 'mdl_3', 'mdl_5'], why: 'marks of the index cannot be asked for' },
  { q: '§oslo', finds: [], why: 'nor those of places' },
  { q: 'hidden', finds: [], why: 'private entries' },
]

/* ---- the expected matches in random rows, computed without an index ---- */

/** All expected rows, straight from the tables. */
const readVisible = async ({ read }: Database) => {
  const allProviders = (await read.selectFrom('providers').selectAll().execute()).filter(
    ({ is_listed }) => is_listed === 1,
  )
  const byId = new Map(allProviders.map((row) => [row.id, row]))
  const allModels = (await read.selectFrom('models').selectAll().execute()).flatMap((row) => {
    const owner = byId.get(row.provider_id)
    if (!owner || row.is_public === 0 || row.archived_at !== null) return []
    const { company_name, domain, domain_verified_at } = owner
    return [{ ...row, company_name, domain, domain_verified_at }]
  })
  return {
    providers: allProviders.map((row) => ({ ...row, ...documentOfProvider(row), place: placeOf(row) })),
    models: allModels.map((row) => ({ ...row, ...documentOfModel(row), place: placeOf(row) })),
  }
}

type Found = { id: string; names: string; words: string; place: number }

const pick = <Row extends Found>(rows: readonly Row[], q: string): string[] => {
  const query = searchQueryOf(q)
  if (!query) return []
  const byWords = rows.filter(({ words }) => {
    const each = words.split(' ')
    const hasTerms = query.terms.every(({ text, isPrefix }) =>
      each.some((word) => (isPrefix ? word.startsWith(text) : word === text)),
    )
    return hasTerms || each.some((word) => word.startsWith(query.key ?? ''))
  })
  const byPart = rows.filter(({ names }) => query.part !== null && names.includes(query.part))
  const hits = byWords.length < 20 ? [...new Set([...byWords, ...byPart])] : byWords
  return ranked(hits, query).map(({ id }) => id)
}

const asked = [
  ...vocabulary,
  'at',
  'atl',
  'tlas',
  'chat 4',
  'gpt4',
  'open a',
  'x0.example',
  'café ünï',
  'of a',
  'nobody',
]

describe.each(Object.entries(engines))('search on %s', (_name, setting) => {
  it('finds the expected rows, in the expected order, and counts them', async () => {
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

  it.each(sampled([1, 2, 3], 3))(
    'finds and counts the right rows after any changes, without a repair (%i)',
    async (seed) => {
      const { database, listings, search } = await startSearch(setting, randomCatalogue(seed))
      await shake(database, listings, seed + 10)
      const visible = await readVisible(database)
      for (const q of asked) {
        const found = await search.find({ q, ...everything, limit: 100 })
        const expected = [pick(visible.providers, q), pick(visible.models, q)] as const
        expect(
          found.providers.map(({ id }) => id),
          q,
        ).toEqual(expected[0])
        expect(
          found.models.map(({ id }) => id),
          q,
        ).toEqual(expected[1])
        expect(found.total, q).toBe(expected[0].length + expected[1].length)
      }
      const listed = () =>
        Promise.all(
          (['listed_providers', 'listed_models'] as const).map((table) =>
            database.read.selectFrom(table).select(['id', 'place', 'words']).orderBy('place').execute(),
          ),
        )
      const before = await listed()
      await listings.repair(new AbortController().signal)
      expect(await listed()).toEqual(before)
    },
  )

  it('lists the right rows in every order and under every filter, page by page', async () => {
    const { database, listings, search } = await startSearch(setting, randomCatalogue(5))
    await shake(database, listings, 15)
    const { models: rows, providers: listedProviders } = await readVisible(database)
    const keys = {
      date: (row: (typeof rows)[number]) => -row.created_at,
      name: (row: (typeof rows)[number]) => titleOf(row.display_name),
      provider: (row: (typeof rows)[number]) => titleOf(row.company_name),
      context: (row: (typeof rows)[number]) => -(row.context_window ?? 0),
    }
    const filters: (Partial<ModelQuery> & { keeps: (row: (typeof rows)[number]) => boolean })[] = [
      { keeps: () => true },
      { release_year: 2024, keeps: (row) => row.release_date?.startsWith('2024') ?? false },
      { min_context_window: 2_000, keeps: (row) => (row.context_window ?? 0) >= 2_000 },
      { max_context_window: 3_000, keeps: (row) => row.context_window !== null && row.context_window <= 3_000 },
      { provider_id: 'prv_1', keeps: (row) => row.provider_id === 'prv_1' },
      { is_active: true, keeps: () => true },
      { is_active: false, keeps: () => false },
      { search: 'atlas', keeps: (row) => pick(rows, 'atlas').includes(row.id) },
      {
        search: 'chat',
        release_year: 2025,
        keeps: (row) => pick(rows, 'chat').includes(row.id) && (row.release_date?.startsWith('2025') ?? false),
      },
      {
        search: 'llama',
        provider_id: 'prv_2',
        keeps: (row) => pick([row], 'llama').length > 0 && row.provider_id === 'prv_2',
      },
      { search: '!', keeps: () => false },
    ]
    for (const sort of ['date', 'name', 'provider', 'context'] as const) {
      for (const { keeps, ...filter } of filters) {
        const ids = await allPages((page) => search.listModels({ sort, ...filter, ...page }))
        const direction = sort === 'date' || sort === 'context' ? -1 : 1
        const expected = rows
          .filter(keeps)
          .sort((a, b) => compare(keys[sort](a), keys[sort](b)) || direction * compare(a.id, b.id))
        expect(ids, `${sort} ${JSON.stringify(filter)}`).toEqual(expected.map(({ id }) => id))
      }
    }
    for (const sort of ['name', '-name', 'verification', '-verification', 'location'] as const) {
      for (const verification of ['all', 'verified', 'unverified'] as const) {
        const ids = await allPages((page) => search.listProviders({ sort, verification, ...page }))
        const stored = listedProviders.filter(
          (row) => verification === 'all' || (verification === 'verified') === (row.domain_verified_at !== null),
        )
        const keyOf = (row: (typeof stored)[number]) =>
          (sort.endsWith('verification') ? (row.domain_verified_at === null ? '1' : '0') : '') +
          titleOf(row.company_name)
        const expected = stored.sort((a, b) => compare(keyOf(a), keyOf(b)) || compare(a.id, b.id)).map(({ id }) => id)
        expect(ids, `${sort} ${verification}`).toEqual(sort.startsWith('-') ? expected.reverse() : expected)
      }
    }
  })
})

const compare = (a: string | number, b: string | number) =>
  typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b)

const allPages = async (
  read: (page: {
    limit: number
    skip: number
    cursor?: string
  }) => Promise<{ ids: string[]; next_cursor: string | null }>,
) => {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await read({ limit: 7, skip: 0, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.ids)
    if (page.next_cursor === null) return ids
    cursor = page.next_cursor
  }
}
