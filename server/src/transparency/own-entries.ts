import type { OwnLogEntry } from '@countersign/sdk/contract'
import { leafHash } from '@countersign/sdk/log'
import { type Disclosure, isPrivate, type OpenEntry, parseEntry } from '@countersign/sdk/log/entries'
import type { Database } from '../db/engine.ts'
import type { PageQuery } from '../db/paging.ts'
import type { Db } from '../db/schema.ts'
import { listVersionNames } from '../db/versions.ts'
import type { Caller } from '../http/callers.ts'
import { fitIssuer } from '../names/rules.ts'
import { listDisputesOf } from './dispute-store.ts'
import { describeEntry } from './entry-words.ts'
import { type FeedOwner, listOwners } from './feed-store.ts'
import { listOwnEntries, type OwnEntry } from './own-store.ts'
import { isBeingLogged } from './rules.ts'

interface Deps {
  database: Database
  now: () => number
}

/** The entry as its owner may read it, and its texts; without the entry if it is private and was erased. */
export const readOwn = ({ leaf, revealed }: Pick<OwnEntry, 'leaf' | 'revealed'>) => {
  const disclosed: Disclosure[] = revealed === null ? [] : JSON.parse(revealed)
  const entry = parseEntry(Buffer.from(leaf))
  const hidden = disclosed.find(({ field }) => field === 'private')?.value
  const open = isPrivate(entry) ? (hidden === undefined ? undefined : parseEntry(Buffer.from(hidden))) : entry
  return { entry: open as OpenEntry | undefined, names: disclosed.filter(({ field }) => field !== 'private') }
}

/** Customers of a platform choose names in the address of its issuer: sentences and emails have only a fit one whole. */
export const withFitIssuer = (entry: OpenEntry, owner: Pick<FeedOwner, 'provenDomain'> | undefined): OpenEntry =>
  entry.type === 'platform.trusted' ? { ...entry, issuer: fitIssuer(entry.issuer, owner?.provenDomain ?? null) } : entry

const modelOf = (entry: OpenEntry | undefined) => (entry && 'model' in entry ? [entry.model] : [])

/** Entries in words, for the provider that they are about. */
const describeOwn = async (db: Db, provider_id: string, rows: readonly OwnEntry[], at: number) => {
  const owner = (await listOwners(db, [provider_id], at)).get(provider_id)
  const read = rows.map((row) => ({ row, ...readOwn(row) }))
  const ofId = await listVersionNames(db, provider_id, [...new Set(read.flatMap(({ entry }) => modelOf(entry)))])
  return read.map(({ row, entry, names }) => {
    const texts = Object.fromEntries(names.map(({ field, value }) => [field, value]))
    const says = entry
      ? describeEntry(withFitIssuer(entry, owner), { texts, ofId })
      : `A private fact that was erased (${row.type})`
    return { row, says, names: names.map(({ field, value }) => ({ field, value })) }
  })
}

/** What the log says about a provider, for its members and keys. */
export const createOwnEntries = ({ database, now }: Deps) => {
  const stateOf = ({ position, is_public, at }: OwnEntry) =>
    position === null
      ? isBeingLogged(at, now())
        ? 'being_logged'
        : 'not_logged'
      : is_public === 1
        ? 'logged'
        : 'logged_privately'

  return {
    async list(
      { provider_id }: Caller,
      page: PageQuery,
    ): Promise<{ entries: OwnLogEntry[]; next_cursor: string | null }> {
      const { rows, next_cursor } = await listOwnEntries(database.read, provider_id, page)
      const described = await describeOwn(database.read, provider_id, rows, now())
      const ids = rows.map(({ id }) => id)
      const disputed = await listDisputesOf(database.read, provider_id, ids)
      const entries = described.map(
        ({ row, says, names }): OwnLogEntry => ({
          state: stateOf(row),
          index: row.position,
          leaf_hash: Buffer.from(leafHash(Buffer.from(row.leaf))).toString('base64'),
          type: row.type,
          at: new Date(row.at).toISOString(),
          subject: row.subject,
          says,
          names,
          report_id: disputed.get(row.id) ?? null,
        }),
      )
      return { entries, next_cursor }
    },
  }
}

export type OwnEntries = ReturnType<typeof createOwnEntries>
