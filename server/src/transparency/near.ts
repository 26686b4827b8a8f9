import type { NearName } from '@countersign/sdk/contract'
import { shownNames } from '@countersign/sdk/log/entries'
import { domainWords, type Nearness, nearDomain, nearKeys, nearName, nearProbes } from '@countersign/sdk/log/names'
import type { Database } from '../db/engine.ts'
import { encodeCursor, type PageQuery } from '../db/paging.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Caller } from '../http/callers.ts'
import { registryOwner } from './facts-store.ts'
import {
  claimEntries,
  type Find,
  type FoundRow,
  findPosition,
  insertFind,
  insertWatched,
  listCandidates,
  listFinds,
  listFindsIn,
  listFindsNear,
  listFindsOf,
  listHeld,
  listOwnNames,
  listWatched,
  listWatchersOf,
  moveFind,
  removeFind,
  removeWatched,
  type Watched,
} from './near-store.ts'
import { insertNotices, nearNotice } from './notice-store.ts'
import { readOwn } from './own-entries.ts'
import { type LogEntryRow, listEntries } from './tree-store.ts'

interface Deps {
  database: Database
  now: () => number
}

const batch = 100
/** Owners are not emailed about older entries: those that an upgrade or a recovery compares for the first time. */
const newMs = 24 * 3_600_000

/** A domain or a name in an entry. */
interface Candidate {
  field: NearName['field']
  text: string
}

/** With `what`, by which it is reported once. */
type EntryName = Candidate & Pick<Find, 'what'>

const namesOf = ({ entry_id, ...row }: Pick<FoundRow, 'entry_id' | 'leaf' | 'revealed'>) => {
  const { entry, names } = readOwn(row)
  const shown = shownNames(Object.fromEntries(names.map(({ field, value }) => [field, value])))
  return {
    entry,
    names: shown.map(
      ({ fields, text }): EntryName => ({ field: fields[0], text, what: `${fields.join(' ')} ${entry_id}` }),
    ),
  }
}

/** Entries without texts are not parsed: most have none. */
const candidatesIn = (row: LogEntryRow): EntryName[] => {
  if (row.revealed === null && row.type !== 'domain.proven') return []
  const { entry, names } = namesOf({ ...row, entry_id: row.id })
  if (!entry) return []
  return entry.type === 'domain.proven'
    ? [{ field: 'domain', text: entry.domain, what: entry.domain }, ...names]
    : names
}

const wordsOf = ({ field, text }: Candidate) => (field === 'domain' ? domainWords(text).all : [text])

/** Two companies at one host, such as `acme.hosting.example` and `northwind.hosting.example`, are not near each other. */
const isNeighbour = (theirs: string, own: string) => {
  const site = (domain: string) => domain.split('.').slice(-2).join('.')
  return site(theirs) === site(own) && !theirs.endsWith(`.${own}`)
}

/** How near a name in the log is to one of a company's; undefined if it is not near. */
export const nearnessOf = (candidate: Candidate, { kind, own }: Watched): Nearness | undefined => {
  const { field, text } = candidate
  if (kind === 'name')
    return wordsOf(candidate)
      .map((word) => nearName(word, own))
      .find((near) => near !== undefined)
  if (field !== 'domain') return nearName(text, domainWords(own).name)
  const near = nearDomain(text, own)
  return near === 'added_words' && isNeighbour(text, own) ? undefined : near
}

const strength: readonly Nearness[] = ['same', 'lookalike', 'other_ending', 'typo', 'added_words']
const strongestFirst = (a: { near: Nearness }, b: { near: Nearness }) =>
  strength.indexOf(a.near) - strength.indexOf(b.near)

/** Which of these a name is near, the strongest reason first. */
const nearOf = <Each extends Watched>(candidate: Candidate, watched: readonly Each[]): (Each & { near: Nearness })[] =>
  watched
    .flatMap((each) => {
      const near = nearnessOf(candidate, each)
      return near ? [{ ...each, near }] : []
    })
    .toSorted(strongestFirst)

/** Of another company, how many names that are equally near, and that it still has, are reported. */
const mostNames = { company_name: 5, identifier: 1, display_name: 5 }

/** Entries after which a company may have another name or other domains. */
const renames = /^(domain\.|provider\.)/

/** Tells companies which new domains and names in the log are near theirs. */
export const createNearNames = ({ database, now }: Deps) => {
  /** `names` are one name: of a model, alone and with its version. */
  const report = async (tx: Tx, row: LogEntryRow, names: readonly EntryName[], noticed: Set<string>) => {
    const probes = [...new Set(names.flatMap(wordsOf).flatMap(nearProbes))]
    const watched = await listCandidates(tx, probes, row.owner)
    const found = names.flatMap((name) => nearOf(name, watched).map((each) => ({ ...each, ...name })))
    const reported = new Set<string>()
    // Only the strongest reason is stored for each company.
    for (const { provider_id, own, near, field, text, what } of found.toSorted(strongestFirst)) {
      if (reported.has(provider_id)) continue
      if (field !== 'domain') {
        const known = await listFindsOf(tx, { provider_id, other: row.owner, field })
        if (known.some((find) => textOf(find) === text)) {
          reported.add(provider_id)
          continue
        }
        const asNear = known.filter((find) => find.near === near)
        if ((await onlyHeld(tx, asNear)).length >= mostNames[field]) continue
      }
      reported.add(provider_id)
      const isNew = await insertFind(tx, {
        provider_id,
        other: row.owner,
        what,
        field,
        own,
        near,
        entry_id: row.id,
        position: Number(row.position),
        at: row.at,
      })
      if (isNew && row.at > now() - newMs) noticed.add(provider_id)
    }
  }

  const watch = async (tx: Tx, provider_id: string) => {
    const wanted = await listOwnNames(tx, provider_id)
    const known = await listWatched(tx, provider_id)
    const isIn = (list: readonly Watched[], { kind, own }: Watched) =>
      list.some((each) => each.kind === kind && each.own === own)
    for (const each of known.filter((one) => !isIn(wanted, one))) {
      await removeWatched(tx, { provider_id, ...each })
      // Often near the new name as well: `Northvvind Labs` after `Northwind Labs` became `Northwind Labs AS`.
      for (const { id: what, ...find } of await listFindsNear(tx, { provider_id, own: each.own })) {
        const text = textOf({ id: what, ...find })
        const [nearest] = text === null ? [] : nearOf({ field: find.field, text }, wanted)
        if (nearest) await moveFind(tx, { provider_id, other: find.other, what, own: nearest.own, near: nearest.near })
      }
    }
    for (const each of wanted.filter((one) => !isIn(known, one))) {
      const keys = nearKeys(each.kind === 'domain' ? domainWords(each.own).name : each.own)
      await insertWatched(
        tx,
        keys.map((fragment) => ({ provider_id, ...each, fragment })),
      )
    }
  }

  /** For companies that lost the domain earlier: it is no longer theirs. */
  const endWatches = async (tx: Tx, { domain, owner }: Pick<LogEntryRow, 'domain' | 'owner'>) => {
    const [fragment] = nearKeys(domainWords(domain ?? '').name)
    if (domain === null || fragment === undefined) return
    for (const provider_id of await listWatchersOf(tx, { domain, fragment, except: owner }))
      await watch(tx, provider_id)
  }

  const compare = async (tx: Tx, row: LogEntryRow, at: number) => {
    if (row.owner === registryOwner || row.is_public === 0) return
    const noticed = new Set<string>()
    for (const names of Map.groupBy(candidatesIn(row), ({ field }) => field).values())
      await report(tx, row, names, noticed)
    await insertNotices(
      tx,
      [...noticed].map((provider_id) => ({
        provider_id,
        entry_id: row.id,
        type: nearNotice,
        at,
        mailed_at: null,
        mail_id: null,
      })),
    )
    if (renames.test(row.type)) await watch(tx, row.owner)
    if (row.type === 'domain.proven') await endWatches(tx, row)
  }

  /**
   * False if there is nothing more to compare. Entries are claimed and compared in one transaction, so each is compared once; again if a
   * power cut undid it.
   */
  const compareNext = (): Promise<boolean> =>
    database.quickTransaction(async (tx) => {
      const from = await findPosition(tx)
      const rows = await listEntries(tx, { first: from, end: from + batch })
      const last = rows.at(-1)
      if (!last) return false
      if (!(await claimEntries(tx, { from, to: Number(last.position) + 1 }))) return true
      for (const row of rows) await compare(tx, row, now())
      return true
    })

  return {
    /** Compares the new entries of the log with the names of all companies, by an index. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted && (await compareNext()));
    },

    /** Names of other companies that are near the caller's, newest first. */
    async list({ provider_id }: Caller, page: PageQuery): Promise<{ names: NearName[]; next_cursor: string | null }> {
      const { rows, next_cursor } = await listHeldFinds(database.read, provider_id, page)
      return {
        names: rows.map((row) => ({
          text: textOf(row),
          field: row.field,
          near: row.near,
          yours: row.own,
          provider_id: row.other,
          index: Number(row.position),
          at: new Date(row.at).toISOString(),
        })),
        next_cursor,
      }
    },
  }
}

/** The domain or name; null if it was erased. */
export const textOf = ({ field, id, ...row }: Omit<FoundRow, 'other' | 'own' | 'near'>): string | null =>
  field === 'domain' ? id : (namesOf(row).names.find(({ what }) => what === id)?.text ?? null)

/** Those that their company still has. */
const onlyHeld = async (db: Db, rows: readonly FoundRow[]): Promise<FoundRow[]> => {
  const named = rows.map((row) => ({ row, text: textOf(row) }))
  const held = await listHeld(
    db,
    rows.map(({ other }) => other),
    named.flatMap(({ text }) => (text === null ? [] : [text])),
  )
  const keyOf = ({ other, field }: Pick<FoundRow, 'other' | 'field'>, text: string | null) =>
    JSON.stringify([other, field, text])
  const keys = new Set(held.map((each) => keyOf(each, each.text)))
  return named.filter(({ row, text }) => keys.has(keyOf(row, text))).map(({ row }) => row)
}

const mostRounds = 5

/** Reads on until the page is full: what its company has no more is left out. The page is short if most of it is. */
const listHeldFinds = async (db: Db, provider_id: string, { limit, ...page }: PageQuery) => {
  const found: FoundRow[] = []
  let cursor: string | null | undefined = page.cursor
  for (let round = 0; round < mostRounds && cursor !== null && found.length < limit; round++) {
    const { rows, next_cursor } = await listFinds(db, provider_id, { ...page, cursor, limit: batch })
    found.push(...(await onlyHeld(db, rows)))
    cursor = next_cursor
  }
  const last = found[limit - 1]
  if (last && found.length > limit) cursor = encodeCursor({ key: Number(last.position), id: last.id })
  return { rows: found.slice(0, limit), next_cursor: cursor ?? null }
}

/** What was found in these entries. What its company has no more is forgotten, so that it is reported once the company takes it again. */
export const takeFindsIn = async (tx: Tx, provider_id: string, entryIds: readonly string[]): Promise<FoundRow[]> => {
  const rows = await listFindsIn(tx, provider_id, entryIds)
  const held = await onlyHeld(tx, rows)
  for (const { other, id } of rows.filter((row) => !held.includes(row)))
    await removeFind(tx, { provider_id, other, what: id })
  return held
}

export type NearNames = ReturnType<typeof createNearNames>
