import type {
  FoundModel,
  FoundProvider,
  ModelQuery,
  ProviderQuery,
  SearchQuery,
  SearchResult,
} from '@countersign/sdk/contract'
import type { FullText } from '../db/full-text/engine.ts'
import type { Db } from '../db/schema.ts'
import { trustOfRow } from '../trust/facts.ts'
import { ranked, searchQueryOf, type TextQuery } from './rules.ts'
import {
  countLimit,
  findCandidates,
  findFoundModels,
  findFoundProviders,
  listListedModels,
  listListedProviders,
} from './store.ts'

interface Deps {
  fullText: FullText
  now: () => number
}

interface Group<Item> {
  items: Item[]
  total: number
}

const nothing = { items: [], total: 0 }

export const createSearchService = ({ fullText, now }: Deps) => {
  const findProviders = async (db: Db, query: TextQuery, limit: number): Promise<Group<FoundProvider>> => {
    const { rows, total } = await findCandidates(fullText, db, 'listed_providers', query, now())
    const best = ranked(rows, query).slice(0, limit)
    if (best.length === 0) return nothing
    const found = new Map(
      (await findFoundProviders(db, idsOf(best), now())).map((row) => [row.id, foundProviderOf(row)]),
    )
    return { items: inOrder(best, found), total }
  }

  const findModels = async (db: Db, query: TextQuery, limit: number): Promise<Group<FoundModel>> => {
    const { rows, total } = await findCandidates(fullText, db, 'listed_models', query, now())
    const best = ranked(rows, query).slice(0, limit)
    if (best.length === 0) return nothing
    const found = new Map((await findFoundModels(db, idsOf(best), now())).map((row) => [row.id, foundModelOf(row)]))
    return { items: inOrder(best, found), total }
  }

  return {
    async find({ q, limit, include_providers, include_models }: SearchQuery): Promise<SearchResult> {
      const query = searchQueryOf(q)
      if (!query) return { providers: [], models: [], total: 0, total_is_lower_bound: false }
      const [providers, models] = await fullText.reading(async (db) => [
        include_providers ? await findProviders(db, query, limit) : nothing,
        include_models ? await findModels(db, query, limit) : nothing,
      ])
      const total = providers.total + models.total
      return {
        providers: providers.items,
        models: models.items,
        total: Math.min(total, countLimit),
        total_is_lower_bound: total > countLimit,
      }
    },

    /** One page of the public providers. */
    listProviders: (query: ProviderQuery) => fullText.reading((db) => listListedProviders(fullText, db, query, now())),

    /** One page of the public models. */
    listModels: (query: ModelQuery) => fullText.reading((db) => listListedModels(fullText, db, query)),
  }
}

export type SearchService = ReturnType<typeof createSearchService>

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** What disappeared between finding and reading is left out. */
const inOrder = <Item>(rows: readonly { id: string }[], found: ReadonlyMap<string, Item>): Item[] =>
  rows.map(({ id }) => found.get(id)).filter((item) => item !== undefined)

const foundProviderOf = (row: Awaited<ReturnType<typeof findFoundProviders>>[number]): FoundProvider => ({
  id: row.id,
  title: row.company_name ?? '',
  description: row.description,
  domain: row.domain,
  domain_verified: row.domain_verified_at !== null,
  trust_level: trustOfRow(row).trust_level,
  url: `/providers/${row.id}`,
})

const foundModelOf = (row: Awaited<ReturnType<typeof findFoundModels>>[number]): FoundModel => ({
  id: row.id,
  title: row.display_name,
  subtitle: row.domain_verified_at === null ? row.company_name : row.domain,
  version: row.version,
  description: row.description,
  provider_domain_verified: row.domain_verified_at !== null,
  url: `/models/${row.id}`,
})
