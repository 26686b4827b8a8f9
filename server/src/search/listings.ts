import type { Database } from '../db/engine.ts'
import type { FullText } from '../db/full-text/engine.ts'
import { lockProvider } from '../db/lock.ts'
import type { Tx } from '../db/schema.ts'
import { noProtection, type Protection, skeletonOf } from '../names/rules.ts'
import { isNameSinceOutdated, noteNameSince } from '../names/store.ts'
import {
  findIdentifier,
  findProviderListing,
  findRepairedNames,
  isSameListing,
  listModelListings,
  listOvertaken,
  listProviderIds,
  putRepairedNames,
  readModelListings,
  readProviderListing,
  writeListing,
} from './listing-store.ts'
import { movesAt } from './rules.ts'

interface Deps {
  database: Database
  fullText: FullText
  /** Names that the operator protects. */
  protection?: Protection
  now: () => number
}

/**
 * What lists and search read. A service that writes a column of a provider or a model that is listed, or that decides whether it is,
 * calls `providerChanged`, `modelRegistered` or `modelChanged` after it, in the same transaction.
 */
export const createListings = ({ database, fullText, protection = noProtection, now }: Deps) => {
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
    await lockProvider(database, tx, provider_id)
    await writeModels(tx, provider_id, identifier)
  }

  /** Its models are updated if its name, its domain or its listing show in them. */
  const indexProvider = async (tx: Tx, id: string) => {
    await lockProvider(database, tx, id)
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

  /** Also updates since when a provider has had its name. */
  const providerChanged = async (tx: Tx, id: string) => {
    await lockProvider(database, tx, id)
    await noteNameSince(tx, protection, { provider_id: id, at: now() })
    const before = await indexProvider(tx, id)
    const overtaken = await listOvertaken(tx, { id, before: before ? skeletonOf(before.title) : null, at: now() })
    for (const other of overtaken) await indexProvider(tx, other)
  }

  return {
    /** After a change to a provider's name, profile, listing, domains or account. */
    providerChanged,

    /** After a model was archived, shown, hidden or edited. */
    modelChanged: (tx: Tx, { provider_id, id }: { provider_id: string; id: string }) => indexModel(tx, provider_id, id),

    /** After a registration, which has locked the provider. */
    modelRegistered: (tx: Tx, { provider_id, identifier }: { provider_id: string; identifier: string }) =>
      writeModels(tx, provider_id, identifier),

    /** After an opening was counted. Only a few openings move their model and provider. */
    async wasOpened(
      tx: Tx,
      opened: { provider_id: string; model_id: string; providers_count: number; models_count: number },
    ) {
      if (movesAt(opened.providers_count)) await indexProvider(tx, opened.provider_id)
      if (movesAt(opened.models_count)) await indexModel(tx, opened.provider_id, opened.model_id)
    },

    /** Whether the last repair had other protected names. */
    isOutdated: async (): Promise<boolean> => (await findRepairedNames(database.read)) !== protection.digest,

    /**
     * Checks all providers and repairs their index entries: for rows from before there was an index, or restored ones, and after a change
     * of the protected names.
     */
    async repair(signal: AbortSignal): Promise<void> {
      for (let after = ''; !signal.aborted; ) {
        const ids = await listProviderIds(database.read, after)
        for (const id of ids) {
          if (signal.aborted) return
          const isClaimOutdated = await isNameSinceOutdated(database.read, protection, { provider_id: id, at: now() })
          if (!isClaimOutdated && (await isIndexed(id))) continue
          await database.transaction(async (tx) => {
            await (isClaimOutdated ? providerChanged : indexProvider)(tx, id)
            await writeModels(tx, id)
          })
        }
        const last = ids.at(-1)
        if (last === undefined) {
          await database.transaction((tx) => putRepairedNames(tx, protection.digest))
          return
        }
        after = last
      }
    },
  }
}

export type Listings = ReturnType<typeof createListings>

const byIdentifier = <Row extends { api_model_identifier: string }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.api_model_identifier, row]))
