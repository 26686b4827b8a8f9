import {
  LogError,
  type LogPolicy,
  leafHash,
  type TreeHead,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  verifyConsistency,
  verifyInclusion,
} from '@countersign/sdk/log'
import { isPrivate } from '@countersign/sdk/log/entries'
import {
  consistencyProof,
  emptyEdge,
  hashLength,
  headOf,
  inclusionProof,
  parseBundle,
  rootFromTiles,
  type TreeEdge,
  tileAt,
  tileWidth,
} from '@countersign/sdk/log/tiles'
import { Failure } from '../../../failure.ts'
import type { DescribedLog } from '../described-log.ts'
import { backfillToleranceMs, type Evidence, toBase64 } from '../evidence.ts'
import type { LogSource } from '../log-source.ts'
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

/** Looks for the first entry that is not the one in the signed tree. */
const findChanged = async (from: TreeEdge, shown: Signed, { source }: Log): Promise<Evidence | undefined> => {
  let found: Evidence | undefined
  await readEntries(from, shown.size, source, async (entries) => {
    const [first] = entries
    if (found || !first) return
    const tile = await source.tile(tileAt(0, Math.floor(first.index / tileWidth), shown.size))
    for (const { index, leaf } of entries) {
      const position = (index % tileWidth) * hashLength
      const hash = tile.slice(position, position + hashLength)
      if (isSame(hash, leafHash(leaf))) continue
      const proof = await inclusionProof(index, shown.size, source.tile)
      if (!verifyInclusion({ index, size: shown.size, leaf: hash, root: shown.root }, proof)) return
      found = {
        evidence: version,
        kind: 'changed_entry',
        checkpoint: shown.note,
        index,
        served: toBase64(leaf),
        leaf_hash: toBase64(hash),
        proof: proof.map(toBase64),
      }
      return
    }
  })
  return found
}

/** Why the entries are not those of the signed tree. A log cannot hide a lie by withholding its tiles. */
const explainMismatch = async (
  before: Signed | undefined,
  from: TreeEdge,
  shown: Signed,
  log: Log,
): Promise<Misbehaviour> => {
  try {
    if (before) await compareTrees(before, shown, log.source)
    const changed = await findChanged(from, shown, log)
    if (changed) return new Misbehaviour(changed)
  } catch (error) {
    if (error instanceof Misbehaviour) return error
    if (!(error instanceof Failure || error instanceof LogError)) throw error
  }
  const checkpoints: [string, string] = [before?.note ?? shown.note, shown.note]
  return new Misbehaviour({ evidence: version, kind: 'missing_tree', checkpoints })
}

type Order = Pick<MonitorState, 'opened' | 'latest'>

/** An entry that is out of order: the opening of the log, the entry about a later time before it, and itself. */
interface Late {
  opening: number
  before: number | null
  read: ReadEntry
}

/** Follows the order of times to the first fact that was logged long after its time, or to a second beginning. */
const followOrder = (order: Order, entries: readonly ReadEntry[]): Order & { late?: Late } => {
  let { opened, latest } = order
  for (const read of entries) {
    const { index, entry } = read
    if (entry === null) continue
    const at = Date.parse(entry.at)
    if (entry.type === 'log.opened' && !isPrivate(entry)) {
      if (opened !== null) return { opened, latest, late: { opening: opened, before: null, read } }
      opened = index
      latest = { index, at }
    } else if (opened !== null && latest !== null) {
      if (at < latest.at - backfillToleranceMs)
        return { opened, latest, late: { opening: opened, before: latest.index, read } }
      if (at > latest.at) latest = { index, at }
    }
  }
  return { opened, latest }
}

const proveLate = async ({ opening, before, read }: Late, { size, note }: Signed, { source }: Log) => {
  const prove = async (index: number, leaf: Uint8Array) => ({
    index,
    leaf: toBase64(leaf),
    proof: (await inclusionProof(index, size, source.tile)).map(toBase64),
  })
  const leafAt = async (index: number) => {
    const { bytes, width } = await source.bundle(tileAt('entries', Math.floor(index / tileWidth), size))
    return parseBundle(bytes, width)[index % tileWidth] ?? new Uint8Array()
  }
  const indexes = [opening, ...(before === null || before === opening ? [] : [before])]
  const proven = await Promise.all(indexes.map(async (index) => prove(index, await leafAt(index))))
  const entries = [...proven, await prove(read.index, read.leaf)]
  return new Misbehaviour({ evidence: version, kind: 'backfill', checkpoint: note, entries })
}

/** Where the monitor is, as a signed tree. */
export const signedOf = ({ checkpoint, edge }: Pick<MonitorState, 'checkpoint' | 'edge'>): Signed | undefined =>
  checkpoint === null ? undefined : { note: checkpoint, ...headOf(edge) }

/**
 * Reads what is new up to a checkpoint, and hands it to `onEntries`, some at a time: believe it only when this returns the new state.
 * Throws `Misbehaviour`, or a `LogError` or a `Failure` if it could not be checked. A smaller tree is not read: compare it with
 * `compareTrees`.
 */
export const advance = async (
  state: MonitorState,
  shown: Signed,
  log: Log,
  onEntries: (entries: readonly ReadEntry[]) => Promise<void>,
): Promise<MonitorState> => {
  const before = signedOf(state)
  if (before && before.size === shown.size) {
    await compareTrees(before, shown, log.source)
    return { ...state, checkpoint: shown.note }
  }
  let order: Order & { late?: Late } = { opened: state.opened, latest: state.latest }
  const edge = await readEntries(state.edge, shown.size, log.source, async (entries) => {
    if (!order.late) order = followOrder(order, entries)
    await onEntries(entries)
  })
  if (!edge || !isSame(headOf(edge).root, shown.root)) throw await explainMismatch(before, state.edge, shown, log)
  const { late, ...followed } = order
  if (late) throw await proveLate(late, shown, log)
  return { ...state, ...followed, edge, checkpoint: shown.note }
}

/** Reads every entry again, up to where the monitor was. Throws `Misbehaviour` if one was changed. */
export const readAgain = async (state: MonitorState, shown: Signed, log: Log): Promise<void> => {
  const before = signedOf(state)
  if (!before || before.size === 0) return
  const edge = await readEntries(emptyEdge, before.size, log.source, async () => {})
  if (!edge || !isSame(headOf(edge).root, before.root)) throw await explainMismatch(undefined, emptyEdge, shown, log)
}
