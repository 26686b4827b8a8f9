import {
  type LogPolicy,
  leafHash,
  type TreeHead,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  verifyConsistency,
} from '@countersign/sdk/log'
import { isPrivate } from '@countersign/sdk/log/entries'
import {
  consistencyProof,
  hashLength,
  headOf,
  inclusionProof,
  parseBundle,
  rootFromTiles,
  type TreeEdge,
  tileAt,
  tileWidth,
} from '@countersign/sdk/log/tiles'
import { backfillToleranceMs, toBase64 } from '../evidence.ts'
import type { LogSource } from '../log-source.ts'
import type { DescribedLog } from '../successors.ts'
import { learnKeys } from './check-keys.ts'
import { Misbehaviour } from './misbehaviour.ts'
import type { MonitorState } from './monitor-state.ts'
import { type ReadEntry, readEntries } from './read-entries.ts'

const version = 'countersign-log/1' as const
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b)

interface Log {
  source: LogSource
  policy: LogPolicy
}

/** A signed tree. */
export interface Signed extends TreeHead {
  note: string
}

/** A verified checkpoint. */
export interface Shown extends VerifiedCheckpoint, Signed {
  /** The policy, with the keys that the log announced since. */
  policy: LogPolicy
}

/** Fetches and verifies the newest checkpoint. Throws `Misbehaviour` if it is signed by a key that the log did not announce. */
export const fetchCheckpoint = async (
  log: Log & { describe: () => Promise<DescribedLog | undefined> },
): Promise<Shown> => {
  const note = await log.source.checkpoint()
  const policy = await learnKeys(note, log)
  return { ...(await verifyCheckpoint(note, policy)), note, policy }
}

/**
 * Compares a tree with a smaller one, with the tiles of the larger. Throws `Misbehaviour` if the larger tree does not start with the
 * smaller.
 */
export const compareTrees = async (small: Signed, large: Signed, source: LogSource): Promise<void> => {
  const checkpoints: [string, string] = [small.note, large.note]
  if (small.size === large.size) {
    if (isSame(small.root, large.root)) return
    throw new Misbehaviour({ evidence: version, kind: 'fork', checkpoints, prefix: null })
  }
  const root = await rootFromTiles(small.size, source.tile, large.size)
  if (isSame(root, small.root)) return
  const proof = await consistencyProof(small.size, large.size, source.tile)
  if (!verifyConsistency({ size: small.size, root }, large, proof))
    throw new Misbehaviour({ evidence: version, kind: 'missing_tree', checkpoints })
  const prefix = { root: toBase64(root), proof: proof.map(toBase64) }
  throw new Misbehaviour({ evidence: version, kind: 'fork', checkpoints, prefix })
}

/** Finds out why the entries are not those of the signed tree, and throws the `Misbehaviour`. */
const explainMismatch = async (
  before: Signed | undefined,
  shown: Signed,
  entries: readonly ReadEntry[],
  { source }: Log,
): Promise<never> => {
  if (before) await compareTrees(before, shown, source)
  for (const { index, leaf } of entries) {
    const tile = await source.tile(tileAt(0, Math.floor(index / tileWidth), shown.size))
    const position = (index % tileWidth) * hashLength
    const hash = tile.subarray(position, position + hashLength)
    if (isSame(hash, leafHash(leaf))) continue
    const proof = await inclusionProof(index, shown.size, source.tile)
    throw new Misbehaviour({
      evidence: version,
      kind: 'changed_entry',
      checkpoint: shown.note,
      index,
      served: toBase64(leaf),
      leaf_hash: toBase64(hash),
      proof: proof.map(toBase64),
    })
  }
  throw new Misbehaviour({
    evidence: version,
    kind: 'missing_tree',
    checkpoints: [before?.note ?? shown.note, shown.note],
  })
}

/** Follows the order of times; throws `Misbehaviour` for a fact that was logged long after its time, or a second beginning. */
const checkOrder = async (state: MonitorState, shown: Signed, entries: readonly ReadEntry[], { source }: Log) => {
  let { opened, latest } = state
  const prove = async (index: number, leaf: Uint8Array) => ({
    index,
    leaf: toBase64(leaf),
    proof: (await inclusionProof(index, shown.size, source.tile)).map(toBase64),
  })
  const leafAt = async (index: number) => {
    const { bytes, width } = await source.bundle(tileAt('entries', Math.floor(index / tileWidth), shown.size))
    return parseBundle(bytes, width)[index % tileWidth] ?? new Uint8Array()
  }
  const report = async (opening: number, before: number | null, late: ReadEntry) => {
    const indexes = [opening, ...(before === null || before === opening ? [] : [before])]
    const proven = await Promise.all(indexes.map(async (index) => prove(index, await leafAt(index))))
    const entries = [...proven, await prove(late.index, late.leaf)]
    return new Misbehaviour({ evidence: version, kind: 'backfill', checkpoint: shown.note, entries })
  }
  for (const read of entries) {
    const { index, entry } = read
    if (entry === null) continue
    const at = Date.parse(entry.at)
    if (entry.type === 'log.opened' && !isPrivate(entry)) {
      if (opened !== null) throw await report(opened, null, read)
      opened = index
      latest = { index, at }
    } else if (opened !== null && latest !== null) {
      if (at < latest.at - backfillToleranceMs) throw await report(opened, latest.index, read)
      if (at > latest.at) latest = { index, at }
    }
  }
  return { opened, latest }
}

/** Where the monitor is, as a signed tree. */
export const signedOf = ({ checkpoint, edge }: Pick<MonitorState, 'checkpoint' | 'edge'>): Signed | undefined =>
  checkpoint === null ? undefined : { note: checkpoint, ...headOf(edge) }

/**
 * Reads what is new up to a checkpoint. Returns the new state and the entries. Throws `Misbehaviour`, or a `LogError` or a `Failure`
 * if it could not be checked. A smaller tree is not read: compare it with `compareTrees`.
 */
export const advance = async (
  state: MonitorState,
  shown: Signed,
  log: Log,
): Promise<{ state: MonitorState; entries: ReadEntry[] }> => {
  const before = signedOf(state)
  if (before && before.size === shown.size) {
    await compareTrees(before, shown, log.source)
    return { state: { ...state, checkpoint: shown.note }, entries: [] }
  }
  const entries: ReadEntry[] = []
  const edge: TreeEdge = await readEntries(state.edge, shown.size, log.source, (entry) => entries.push(entry))
  if (!isSame(headOf(edge).root, shown.root)) await explainMismatch(before, shown, entries, log)
  const order = await checkOrder(state, shown, entries, log)
  return { state: { ...state, ...order, edge, checkpoint: shown.note }, entries }
}

/** Reads every entry again, up to where the monitor was. Throws `Misbehaviour` if one was changed. */
export const readAgain = async (state: MonitorState, shown: Signed, log: Log): Promise<void> => {
  const before = signedOf(state)
  if (!before || before.size === 0) return
  const entries: ReadEntry[] = []
  const edge = await readEntries({ size: 0, levels: [] }, before.size, log.source, (entry) => entries.push(entry))
  if (!isSame(headOf(edge).root, before.root)) await explainMismatch(undefined, shown, entries, log)
}
