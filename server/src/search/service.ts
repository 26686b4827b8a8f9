import type {
  FoundModel,
  FoundProvider,
  ModelQuery,
  ProviderQuery,
  SearchQuery,
  SearchResult,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { FullText } from '../db/full-text/engine.ts'
import { holdProvider } from '../db/hold.ts'
import type { Db, Tx } from '../db/schema.ts'
import { noProtection, type Protection, skeletonOf } from '../names/rules.ts'
import { trustOfRow } from '../trust/facts.ts'
import { movesAt, ranked, searchQueryOf, type TextQuery } from './rules.ts'
import {
  countLimit,
  findCandidates,
  findFoundModels,
  findFoundProviders,
  findIdentifier,
  findProviderListing,
  isSameListing,
  listListedModels,
  listListedProviders,
  listModelListings,
  listOvertaken,
  listProviderIds,
  readModelListings,
  readProviderListing,
  writeListing,
} from './store.ts'

interface Deps {
  database: Database
  fullText: FullText
  /** Names that the operator protects. */
  protection?: Protection
  now: () => number
}

interface Group<Item> {
  items: Item[]
  total: number
}

const nothing = { items: [], total: 0 }

export const createSearchService = ({ database, fullText, protection = noProtection, now }: Deps) => {
  const findProviders = async (db: Db, query: TextQuery, limit: number): Promise<Group<FoundProvider>> => {
    const { rows, total } = await findCandidates(fullText, db, 'listed_providers', query)
    const best = ranked(rows, query).slice(0, limit)
    if (best.length === 0) return nothing
    const found = new Map(
      (await findFoundProviders(db, idsOf(best), now())).map((row) => [row.id, foundProviderOf(row)]),
    )
    return { items: inOrder(best, found), total }
  }

  const findModels = async (db: Db, query: TextQuery, limit: number): Promise<Group<FoundModel>> => {
    const { rows, total } = await findCandidates(fullText, db, 'listed_models', query)
    const best = ranked(rows, query).slice(0, limit)
    if (best.length === 0) return nothing
    const found = new Map((await findFoundModels(db, idsOf(best), now())).map((row) => [row.id, foundModelOf(row)]))
    return { items: inOrder(best, found), total }
  }

  const writeModels = async (tx: Tx, provider_id: string, identifier?: string) => {
    const should = byIdentifier(await readModelListings(tx, protection, { provider_id, identifier, at: now() }))
    const is = byIdentifier(await listModelListings(tx, provider_id, identifier))
    for (const [index, name] of [...new Set([...is.keys(), ...should.keys()])].entries()) {
      // A provider may have thousands; let other requests run meanwhile.
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
      await writeListing(fullText, tx, 'listed_models', { is: is.get(name), should: should.get(name) })
    }
  }

  /** All versions of the identifier are checked again: one of them is listed. */
  const indexModel = async (tx: Tx, provider_id: string, id: string) => {
    const identifier = await findIdentifier(tx, provider_id, id)
    if (identifier === undefined) return
    await holdProvider(database, tx, provider_id)
    await writeModels(tx, provider_id, identifier)
  }

  /** Its models are updated if its name, its domain or its listing show in them. */
  const indexProvider = async (tx: Tx, id: string) => {
    await holdProvider(database, tx, id)
    const is = await findProviderListing(tx, id)
    const should = await readProviderListing(tx, protection, { id, at: now() })
    await writeListing(fullText, tx, 'listed_providers', { is, should })
    if (is?.names !== should?.names || is?.standing !== should?.standing) await writeModels(tx, id)
    return is
  }

  /** Whether the index entries of a provider are up to date; it does not lock the writer. */
  const isIndexed = async (id: string): Promise<boolean> => {
    const isSameProvider = isSameListing(
      await findProviderListing(database.read, id),
      await readProviderListing(database.read, protection, { id, at: now() }),
    )
    if (!isSameProvider) return false
    const is = byIdentifier(await listModelListings(database.read, id))
    const should = byIdentifier(await readModelListings(database.read, protection, { provider_id: id, at: now() }))
    return is.size === should.size && [...should].every(([name, row]) => isSameListing(is.get(name), row))
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

    /** After a change to a provider or a model, in its transaction: updates the search index. */
    async follow(
      tx: Tx,
      { provider_id, subject: [type, id] }: { provider_id: string; subject: readonly [type: string, id: string] },
    ) {
      if (type === 'provider') {
        const before = await indexProvider(tx, provider_id)
        const overtaken = await listOvertaken(tx, {
          id: provider_id,
          before: before ? skeletonOf(before.title) : null,
          at: now(),
        })
        for (const other of overtaken) await indexProvider(tx, other)
      }
      if (type === 'model') await indexModel(tx, provider_id, id)
    },

    /** After an opening was counted. Only a few openings move their model and provider. */
    async followOpening(
      tx: Tx,
      opened: { provider_id: string; model_id: string; providers_count: number; models_count: number },
    ) {
      if (movesAt(opened.providers_count)) await indexProvider(tx, opened.provider_id)
      if (movesAt(opened.models_count)) await indexModel(tx, opened.provider_id, opened.model_id)
    },

    /** Checks all providers and repairs their index entries: for rows from before there was an index, or restored ones. */
    async repair(signal: AbortSignal): Promise<void> {
      for (let after = ''; !signal.aborted; ) {
        const ids = await listProviderIds(database.read, after)
        for (const id of ids) {
          if (signal.aborted) return
          if (await isIndexed(id)) continue
          await database.transaction(async (tx) => {
            await indexProvider(tx, id)
            await writeModels(tx, id)
          })
        }
        const last = ids.at(-1)
        if (last === undefined) return
        after = last
      }
    },
  }
}

export type SearchService = ReturnType<typeof createSearchService>

const byIdentifier = <Row extends { api_model_identifier: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.api_model_identifier, row]))

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
