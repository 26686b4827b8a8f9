import { formatCheckpoint, formatNote, leafHash, signNote } from '@countersign/sdk/log'
import { appendLeaves, edgeOf, edgeTiles, headOf } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { Db } from '../db/schema.ts'
import type { LogSigners } from './log-signers.ts'
import {
  findState,
  findTile,
  insertCheckpoint,
  type LogState,
  listPending,
  moveToEntries,
  putTiles,
  setSize,
  takeTurn,
} from './tree-store.ts'

interface Deps {
  database: Database
  signersOf: LogSigners
  /** Names this process. */
  holder: string
  now: () => number
}

/** Entries in one transaction. */
const batch = 2_000
/** How long other processes leave the tree alone after a write. */
const leaseMs = 3_000

export interface Appended {
  size: number
  added: number
}

/** Reads the edge of the tree, as wide as its size says. */
const readEdge = async (db: Db, size: number) => {
  const tiles = []
  for (const { level, index, width } of edgeTiles(size)) {
    if (level === 'entries') continue
    const row = await findTile(db, { level, tile: index })
    tiles.push({ level, index, width, hashes: new Uint8Array(row?.hashes.subarray(0, width * 32) ?? []) })
  }
  return edgeOf(size, tiles)
}

/** Appends what is pending to the tree, and signs checkpoints. */
export const createSequencer = ({ database, signersOf, holder, now }: Deps) => {
  /** Leaves, tiles and the signed checkpoint are written together; the signature is published after the commit only. */
  const append = (state: LogState): Promise<Appended | undefined> =>
    database.transaction(async (tx) => {
      const turn = await takeTurn(tx, { fence: state.fence, holder, until: now() + leaseMs })
      if (!turn) return undefined
      const size = Number(turn.size)
      const pending = await listPending(tx, batch)
      if (pending.length === 0 && size > 0) return { size, added: 0 }
      const leaves = pending.map(({ leaf }) => leafHash(Buffer.from(leaf)))
      const { edge, tiles } = appendLeaves(await readEdge(tx, size), leaves)
      await moveToEntries(tx, pending, size)
      await putTiles(
        tx,
        tiles.flatMap(({ level, index, hashes }) =>
          level === 'entries' ? [] : [{ level, tile: index, hashes: Buffer.from(hashes) }],
        ),
      )
      const { root } = headOf(edge)
      const text = formatCheckpoint({ origin: state.origin, size: edge.size, root })
      const signatures = await Promise.all((await signersOf(tx, state.origin)).map((signer) => signNote(text, signer)))
      await insertCheckpoint(tx, { size: edge.size, note: formatNote({ text, signatures }), at: now() })
      await setSize(tx, edge.size)
      return { size: edge.size, added: pending.length }
    })

  return {
    /** Undefined if there is nothing to append, or another process does it. */
    sequence: async (): Promise<Appended | undefined> => {
      const [next] = await listPending(database.read, 1)
      if (!next) return undefined
      const state = await findState(database.read)
      if (!state || state.halted !== null) return undefined
      if (state.holder !== holder && state.leased_until !== null && state.leased_until > now()) return undefined
      return append(state)
    },
  }
}
