import { formatCheckpoint, formatNote, leafHash, signNote } from '@countersign/sdk/log'
import { appendLeaves, edgeOf, edgeTiles, headOf } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { LogSigners } from './log-signers.ts'
import {
  clearPlaces,
  findFirstPlace,
  findState,
  findTile,
  hasPending,
  insertCheckpoint,
  type LogState,
  listPlaced,
  movePlaced,
  placePending,
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

/**
 * Appends what is pending to the tree, and signs checkpoints. In two transactions, none of which waits for the disk inside the event loop:
 * the first decides the places of the entries, the second signs them. Between the two the first becomes durable, so a signed tree never
 * has to be signed differently. The process that continues after a crash signs the places that were decided.
 */
export const createSequencer = ({ database, signersOf, holder, now }: Deps) => {
  type Turn = Pick<LogState, 'fence' | 'origin'>

  /** Undefined if another process wrote to the tree since the state was read. */
  const inTurn = <T>({ fence }: Turn, work: (tx: Tx, turn: { size: number; fence: number }) => Promise<T>) =>
    database.quickTransaction(async (tx) => {
      const turn = await takeTurn(tx, { fence, holder, until: now() + leaseMs })
      return turn && work(tx, { size: Number(turn.size), fence: Number(turn.fence) })
    })

  /** Decides the places of the next entries, unless a process did that and ended. Returns the next fence. */
  const place = (state: Turn) =>
    inTurn(state, async (tx, { size, fence }) => {
      const first = await findFirstPlace(tx)
      if (first === size) return { fence }
      if (first !== undefined) await clearPlaces(tx)
      return (await placePending(tx, { first: size, limit: batch })) > 0 ? { fence } : undefined
    })

  /** Leaves, tiles and the signed checkpoint are written together. */
  const sign = (state: Turn): Promise<Appended | undefined> =>
    inTurn(state, async (tx, { size }) => {
      const placed = await listPlaced(tx)
      const leaves = placed.map(({ leaf }) => leafHash(Buffer.from(leaf)))
      const { edge, tiles } = appendLeaves(await readEdge(tx, size), leaves)
      await movePlaced(tx)
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
      return { size: edge.size, added: placed.length }
    })

  const append = async (state: Turn): Promise<Appended | undefined> => {
    const placed = await place(state)
    if (!placed) return undefined
    await database.sync()
    return sign({ ...state, ...placed })
  }

  return {
    /** Undefined if there is nothing to append, or another process does it. */
    sequence: async (): Promise<Appended | undefined> => {
      if (!(await hasPending(database.read))) return undefined
      const state = await findState(database.read)
      if (!state || state.halted !== null) return undefined
      if (state.holder !== holder && state.leased_until !== null && state.leased_until > now()) return undefined
      return append(state)
    },

    /**
     * Signs what a process placed before it ended. It may have shown the signed tree: a power cut can undo the transaction that signed,
     * but not the one before.
     */
    finish: async () => {
      const state = await findState(database.read)
      if (state?.halted === null && (await findFirstPlace(database.read)) !== undefined) await append(state)
    },
  }
}
