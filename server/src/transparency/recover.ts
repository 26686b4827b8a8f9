import { randomUUID } from 'node:crypto'
import { Refusal } from '@countersign/sdk/contract'
import { leafHash, type NoteKey, parseCheckpoint, parseNote, verifyNote } from '@countersign/sdk/log'
import { factOf, isPrivate, type LogEntry, parseEntry } from '@countersign/sdk/log/entries'
import { appendLeaves, emptyEdge, headOf } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { LogEntryTable, Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import { registryOwner } from './facts-store.ts'
import { settleOwner } from './log-fact.ts'
import { domainOf, factTypeOf } from './rules.ts'
import { listLogged, putLogged } from './store.ts'
import {
  clearPlaces,
  findState,
  insertCheckpoint,
  insertEntries,
  listEntries,
  listPendingLike,
  putTiles,
  removePending,
  setHalted,
  setSize,
} from './tree-store.ts'

interface Deps {
  database: Database
  now: () => number
  newId: NewId
}

/** A copy of the log from elsewhere, such as an export or a mirror. */
export interface LogCopy {
  /** The signed checkpoint. */
  checkpoint: string
  /** Its entries. */
  leaves: readonly Uint8Array[]
}

const textOf = (leaf: Uint8Array) => Buffer.from(leaf).toString('utf8')

/** First the log's state becomes that of the recovered entries; facts that are no longer true end after that. */
const replay = async (tx: Tx, owner: string, entries: readonly LogEntry[]) => {
  const logged = new Map((await listLogged(tx, owner)).map((row) => [`${row.subject} ${row.fact}`, row]))
  for (const entry of entries) {
    const found = factOf(entry)
    if (!found) continue
    const { subject, fact } = found
    const revision = (logged.get(`${subject} ${fact}`)?.revision ?? 0) + 1
    // No content has this digest, so the fact is compared and logged again.
    const row = {
      provider_id: owner,
      subject,
      fact,
      revision,
      type: factTypeOf(entry.type),
      digest: 'recovered',
      is_public: 1,
      entry_id: null,
    } as const
    logged.set(`${subject} ${fact}`, row)
    await putLogged(tx, [row])
  }
}

/**
 * Adds the entries that a copy of the log has and this database lost, and lets the log sign again. Throws if the copy was not signed by
 * this log, or has another history.
 */
export const recoverFrom = async (deps: Deps, { checkpoint, leaves }: LogCopy, keys: readonly NoteKey[]) => {
  const note = parseNote(checkpoint)
  const { origin, size, root } = parseCheckpoint(note.text)
  return deps.database.transaction(async (tx) => {
    const state = await findState(tx)
    if (!state || origin !== state.origin || (await verifyNote(note, keys)).length === 0)
      throw new Refusal('bad_request', 'The checkpoint was not signed by this log.')
    const { edge, tiles } = appendLeaves(emptyEdge, leaves.map(leafHash))
    if (edge.size !== size || Buffer.compare(headOf(edge).root, root) !== 0)
      throw new Refusal('bad_request', 'The entries of the copy are not those of its checkpoint.')
    const first = Number(state.size)
    if (size < first) throw new Refusal('bad_request', `The copy has ${size} entries; this log has ${first}.`)
    const own = await listEntries(tx, { first: 0, end: first })
    if (own.length !== first || own.some(({ leaf }, index) => leaf !== textOf(leaves[index] ?? new Uint8Array())))
      throw new Refusal('bad_request', 'The entries of this database differ from the copy’s. It needs a new log.')
    const added = leaves.slice(first)
    // What waited to be logged at the time of the backup was logged after it, and still has its texts.
    const waiting = new Map((await listPendingLike(tx, added.map(textOf))).map((row) => [row.leaf, row]))
    const byOwner = new Map<string, LogEntry[]>()
    const rows = added.map((bytes, index): LogEntryTable => {
      const leaf = textOf(bytes)
      const known = waiting.get(leaf)
      if (known) {
        const { revision: _, ...entry } = known
        return { ...entry, position: first + index }
      }
      const entry = parseEntry(bytes)
      const owner = 'provider' in entry ? entry.provider : registryOwner
      const of = factOf(entry)
      if (!isPrivate(entry)) byOwner.set(owner, [...(byOwner.get(owner) ?? []), entry])
      return {
        position: first + index,
        id: randomUUID(),
        owner,
        subject: of?.subject ?? '',
        type: entry.type,
        is_public: isPrivate(entry) ? 0 : 1,
        at: Date.parse(entry.at),
        leaf,
        revealed: null,
        domain: domainOf(of?.fact ?? ''),
      }
    })
    await insertEntries(tx, rows)
    await removePending(
      tx,
      [...waiting.values()].map(({ id }) => id),
    )
    await clearPlaces(tx)
    await putTiles(
      tx,
      tiles.flatMap(({ level, index, hashes }) =>
        level === 'entries' ? [] : [{ level, tile: index, hashes: Buffer.from(hashes) }],
      ),
    )
    if (size > first) await insertCheckpoint(tx, { size, note: checkpoint, at: deps.now() })
    await setSize(tx, size)
    for (const [owner, entries] of byOwner) {
      await replay(tx, owner, entries)
      await settleOwner(deps, tx, owner)
    }
    await setHalted(tx, null)
    return { size, added: added.length }
  })
}
