import type {
  FoundModel,
  FoundProvider,
  ModelQuery,
  ProviderQuery,
  SearchQuery,
  SearchResult,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { FullText, ListedTable } from '../db/full-text/engine.ts'
import type { Db } from '../db/schema.ts'
import type { Standby } from '../db/standby.ts'
import { timeOf } from '../db/times.ts'
import { noProtection, type Protection } from '../names/rules.ts'
import { trustOfRow } from '../trust/facts.ts'
import { type ExactQuery, exactQueryOf, ranked, searchQueryOf } from './rules.ts'
import {
  areListed,
  countLimit,
  findCandidates,
  findFoundModels,
  findFoundProviders,
  findModelsByDigest,
  type Listed,
  listListedModels,
  listListedProviders,
} from './store.ts'

/** Where a list was read, and why. `outdated`: the standby still listed what the primary no longer does. */
export type ListSource = 'standby' | 'no_standby' | 'outdated' | 'credentials'

interface Deps {
  database: Pick<Database, 'read'>
  /** Lists may be read here, a moment late. */
  standby?: Standby | undefined
  fullText: FullText
  /** Names that the operator protects. */
  protection?: Protection
  now: () => number
  count?: ((source: ListSource) => void) | undefined
}

interface Reader {
  /** Requests with credentials see at once what their provider wrote. */
  hasCredentials?: boolean
}

const nothing = { rows: [], listed: [], total: 0 }

export const createSearchService = ({ database, standby, fullText, protection = noProtection, now, count }: Deps) => {
  /** Undefined if the primary must be read. */
  const readStandby = async <Found>(
    find: (db: Db) => Promise<Found>,
    listedIn: (found: Found) => Partial<Record<ListedTable, readonly Listed[]>>,
  ): Promise<Found | undefined> => {
    const found = await standby?.attempt((db) => fullText.reading(db, find))
    if (found === undefined) {
      count?.('no_standby')
      return undefined
    }
    // A cursor and a total depend on every row, so a list with a hidden row is not used.
    const { listed_providers = [], listed_models = [] } = listedIn(found)
    const isCurrent =
      (await areListed(database.read, 'listed_providers', listed_providers)) &&
      (await areListed(database.read, 'listed_models', listed_models))
    count?.(isCurrent ? 'standby' : 'outdated')
    return isCurrent ? found : undefined
  }

  const read = async <Found>(
    { hasCredentials = false }: Reader,
    find: (db: Db) => Promise<Found>,
    listedIn: (found: Found) => Partial<Record<ListedTable, readonly Listed[]>>,
  ): Promise<Found> => {
    if (standby && hasCredentials) count?.('credentials')
    const found = standby && !hasCredentials ? await readStandby(find, listedIn) : undefined
    return found ?? fullText.reading(database.read, find)
  }

  const resultOf = async (
    bestProviders: readonly string[],
    bestModels: readonly string[],
    total?: number,
  ): Promise<SearchResult> => {
    const [providers, models] = await Promise.all([
      findFoundProviders(database.read, protection, bestProviders, now()),
      findFoundModels(database.read, protection, bestModels, now()),
    ])
    const found = total ?? providers.length + models.length
    return {
      providers: inOrder(bestProviders, providers).map(foundProviderOf),
      models: inOrder(bestModels, models).map(foundModelOf),
      total: Math.min(found, countLimit),
      total_is_lower_bound: found > countLimit,
    }
  }

  const findExact = async (
    query: ExactQuery,
    { limit, include_providers, include_models }: Pick<SearchQuery, 'limit' | 'include_providers' | 'include_models'>,
  ): Promise<SearchResult> => {
    if ('provider_id' in query) return resultOf(include_providers ? [query.provider_id] : [], [])
    if (!include_models) return resultOf([], [])
    if ('model_id' in query) return resultOf([], [query.model_id])
    const ids = await findModelsByDigest(database.read, protection, query.digest, now())
    return resultOf([], ids.slice(0, limit), ids.length)
  }

  return {
    async find(
      { q, limit, include_providers, include_models }: SearchQuery,
      reader: Reader = {},
    ): Promise<SearchResult> {
      const exact = exactQueryOf(q)
      if (exact) return findExact(exact, { limit, include_providers, include_models })
      const query = searchQueryOf(q)
      if (!query) return { providers: [], models: [], total: 0, total_is_lower_bound: false }
      const [providers, models] = await read(
        reader,
        async (db) => [
          include_providers ? await findCandidates(fullText, db, 'listed_providers', query, now()) : nothing,
          include_models ? await findCandidates(fullText, db, 'listed_models', query, now()) : nothing,
        ],
        ([providers, models]) => ({ listed_providers: providers.listed, listed_models: models.listed }),
      )
      return resultOf(
        idsOf(ranked(providers.rows, query).slice(0, limit)),
        idsOf(ranked(models.rows, query).slice(0, limit)),
        providers.total + models.total,
      )
    },

    /** One page of the public providers. */
    async listProviders(query: ProviderQuery, reader: Reader = {}) {
      const { rows, next_cursor } = await read(
        reader,
        (db) => listListedProviders(fullText, db, query, now()),
        ({ rows }) => ({ listed_providers: rows }),
      )
      return { ids: idsOf(rows), next_cursor }
    },

    /** One page of the public models. */
    async listModels(query: ModelQuery, reader: Reader = {}) {
      const { rows, next_cursor } = await read(
        reader,
        (db) => listListedModels(fullText, db, query, now()),
        ({ rows }) => ({ listed_models: rows }),
      )
      return { ids: idsOf(rows), next_cursor }
    },
  }
}

export type SearchService = ReturnType<typeof createSearchService>

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** What disappeared between finding and reading is left out. */
const inOrder = <Row extends { id: string }>(ids: readonly string[], found: readonly Row[]): Row[] => {
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

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
  registered_at: timeOf(row.created_at),
  digest_at: timeOf(row.digest_at),
  url: `/models/${row.id}`,
})
