import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import {
  formatCheckpoint,
  formatNote,
  leafHash,
  type NoteSigner,
  noteKey,
  signatureTypes,
  signNote,
} from '@countersign/sdk/log'
import { appendLeaves, edgeOf, edgeTiles, headOf } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { Db, Tx } from '../db/schema.ts'
import { unseal } from '../signing/rules.ts'
import {
  findState,
  findTile,
  insertCheckpoint,
  type LogKey,
  type LogState,
  listLogKeys,
  listPending,
  moveToEntries,
  putTiles,
  setSize,
  takeTurn,
} from './tree-store.ts'

interface Deps {
  database: Database
  /** Encrypts the log’s keys, apart from the signing keys of tokens. */
  encryptionKey: Buffer | null
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

/** The verifier key of a stored key. Its name is the log’s origin. */
export const noteKeyOf = (origin: string, { public_x }: Pick<LogKey, 'public_x'>) =>
  noteKey(origin, signatureTypes.ed25519, Buffer.from(public_x, 'base64url'))

/** Appends what is pending to the tree, and signs checkpoints. */
export const createSequencer = ({ database, encryptionKey, holder, now }: Deps) => {
  const opened = new Map<string, KeyObject>()

  const signerOf = (origin: string, key: LogKey): NoteSigner => {
    if (encryptionKey === null) throw new Error('LOG_KEY_ENCRYPTION_KEY is not set')
    const known = opened.get(key.key_id)
    const privateKey =
      known ??
      createPrivateKey({ key: unseal(key.private_encrypted, encryptionKey, key.key_id), format: 'der', type: 'pkcs8' })
    opened.set(key.key_id, privateKey)
    return { key: noteKeyOf(origin, key), sign: (message) => sign(null, message, privateKey) }
  }

  /** During a change of keys, both sign. */
  const signersOf = async (tx: Tx, { origin }: LogState): Promise<NoteSigner[]> => {
    const at = now()
    const keys = (await listLogKeys(tx)).filter(
      ({ signs_from, signs_until }) =>
        signs_from !== null && signs_from <= at && (signs_until === null || signs_until > at),
    )
    if (keys.length === 0) throw new Error('The log has no key that signs')
    return keys.map((key) => signerOf(origin, key))
  }

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
      const signatures = await Promise.all((await signersOf(tx, state)).map((signer) => signNote(text, signer)))
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
