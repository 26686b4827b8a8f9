import { Refusal } from '@countersign/sdk/contract'
import { formatNote, formatProof, formatVkey, parseNote, signNote } from '@countersign/sdk/log'
import { isPrivate, parseEntry } from '@countersign/sdk/log/entries'
import { inclusionProof, type ReadTile } from '@countersign/sdk/log/tiles'
import type { Database } from '../db/engine.ts'
import type { Db } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import { seal } from '../signing/rules.ts'
import { registryOwner } from './facts-store.ts'
import { logOwnEntry } from './log-fact.ts'
import { type LogSigners, noteKeyOf } from './log-signers.ts'
import { newLogKey } from './rules.ts'
import {
  addSignatures,
  type CheckpointRow,
  findLatestCheckpoint,
  findState,
  insertLogKey,
  type LogState,
  listCheckpointsWith,
  listEntriesOfType,
  listLogKeys,
  startSigning,
} from './tree-store.ts'

/** How long the old key of the log signs beside its successor. */
const overlapMs = 30 * 24 * 3_600_000

interface Rotation {
  database: Database
  encryptionKey: Buffer | null
  now: () => number
  newId: NewId
}

/** Makes a key and logs it. It signs only after its entry is in the tree. Returns its verifier key. */
export const rotateLogKey = async ({ database, encryptionKey, ...deps }: Rotation): Promise<string> => {
  if (encryptionKey === null)
    throw new Refusal('bad_request', 'LOG_KEY_ENCRYPTION_KEY is not set, and DATA_DIR has no log-key-encryption-key.')
  return database.transaction(async (tx) => {
    const state = await findState(tx)
    if (!state) throw new Refusal('not_found', 'This registry has no log yet. Start it once.')
    if ((await listLogKeys(tx)).some(({ signs_from }) => signs_from === null))
      throw new Refusal('bad_request', 'A successor is waiting to be logged. Start the registry.')
    const key = newLogKey(state.origin, (plain, label) => seal(plain, encryptionKey, label))
    await insertLogKey(tx, { ...key, created_at: deps.now(), signs_from: null, signs_until: null })
    const vkey = formatVkey(noteKeyOf(state.origin, key))
    await logOwnEntry(deps, tx, { type: 'log_key.successor', clear: { vkey }, revision: 1 })
    return vkey
  })
}

/** The successors in the tree, in order. */
const listAnnounced = async (db: Db) =>
  (await listEntriesOfType(db, { owner: registryOwner, type: 'log_key.successor' })).flatMap(({ position, leaf }) => {
    const entry = parseEntry(Buffer.from(leaf))
    return isPrivate(entry) || entry.type !== 'log_key.successor'
      ? []
      : [{ position: Number(position), leaf, vkey: entry.vkey }]
  })

/** Successors that the log announced and this database does not have: it was restored from an older backup. */
export const listLostKeys = async (db: Db, origin: string): Promise<string[]> => {
  const own = new Set((await listLogKeys(db)).map((key) => formatVkey(noteKeyOf(origin, key))))
  return (await listAnnounced(db)).map(({ vkey }) => vkey).filter((vkey) => !own.has(vkey))
}

/**
 * Proofs (c2sp.org/tlog-proof) that each successor was logged, in checkpoints that its predecessor signed. With them, clients that
 * pinned an older key learn the newer ones.
 */
export const proveSuccessors = async (
  db: Db,
  { hasQuorum, readTile }: { hasQuorum: (checkpoint: CheckpointRow) => boolean; readTile: ReadTile },
): Promise<string[]> =>
  Promise.all(
    (await listAnnounced(db)).map(async ({ position, leaf }) => {
      const [first, ...later] = await listCheckpointsWith(db, position, 20)
      if (!first) throw new Error(`The log has no checkpoint with entry ${position}`)
      const isByPredecessor = ({ at }: CheckpointRow) => at < first.at + overlapMs
      const checkpoint = [first, ...later].find((each) => isByPredecessor(each) && hasQuorum(each)) ?? first
      const hashes = await inclusionProof(position, Number(checkpoint.size), readTile)
      const lines = checkpoint.cosignatures.map(({ line }) => `${line}\n`).join('')
      return formatProof({ index: position, hashes, checkpoint: checkpoint.note + lines, extra: Buffer.from(leaf) })
    }),
  )

interface Deps {
  database: Database
  signersOf: LogSigners
  now: () => number
}

/** Lets a successor sign once it is in the tree. */
export const createSuccession = ({ database, signersOf, now }: Deps) => {
  const activate = async (origin: string) => {
    const waiting = (await listLogKeys(database.read)).filter(({ signs_from }) => signs_from === null)
    if (waiting.length === 0) return
    const announced = new Set((await listAnnounced(database.read)).map(({ vkey }) => vkey))
    for (const key of waiting)
      if (announced.has(formatVkey(noteKeyOf(origin, key))))
        await database.transaction((tx) => startSigning(tx, key.key_id, { at: now(), othersUntil: now() + overlapMs }))
  }

  /** The newest tree gets the signature of a key that began after it. A key never signs a tree without its own entry. */
  const completeSignatures = async (origin: string) => {
    const latest = await findLatestCheckpoint(database.read)
    if (!latest) return
    const { text, signatures } = parseNote(latest.note)
    const missing = (await signersOf(database.read, origin)).filter(
      ({ key }) => !signatures.some(({ name, keyId }) => name === key.name && keyId === key.keyId),
    )
    if (missing.length === 0) return
    const added = await Promise.all(missing.map((signer) => signNote(text, signer)))
    const note = formatNote({ text, signatures: [...signatures, ...added] })
    await database.transaction((tx) => addSignatures(tx, { size: Number(latest.size), before: latest.note, note }))
  }

  return {
    /** Does what a succession needs next, if there is one. */
    async proceed({ origin }: Pick<LogState, 'origin'>) {
      if ((await listLogKeys(database.read)).length === 1) return
      await activate(origin)
      await completeSignatures(origin)
    },
  }
}
