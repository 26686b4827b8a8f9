import {
  type LogPolicy,
  leafHash,
  type NoteKey,
  parseCheckpoint,
  parseNote,
  parseVkey,
  type TreeHead,
  verifyInclusion,
  verifyNote,
} from '@countersign/sdk/log'
import { isSameKey, readAnnouncement, withSuccessors } from '@countersign/sdk/log/facts'
import { inclusionProof } from '@countersign/sdk/log/tiles'
import type { DescribedLog } from '../described-log.ts'
import type { LogSource } from '../log-source.ts'
import { Misbehaviour } from './misbehaviour.ts'

interface Log {
  source: Pick<LogSource, 'tile'>
  policy: LogPolicy
  describe: () => Promise<DescribedLog | undefined>
}

/** The first result that is not an error; undefined if all fail. */
const firstOf = async <T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R | undefined> => {
  for (const item of items) {
    const found = await read(item).catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** The old key of the log, for a client that pinned its successor: it signed a tree of this log that announces the known key. */
const isPredecessor = async (key: NoteKey, successors: readonly string[], tree: TreeHead, { source, policy }: Log) => {
  const old: LogPolicy = { ...policy, logs: [{ key }], quorum: 'none' }
  const found = await firstOf(successors, async (text) => {
    const { index, leaf, key: next } = await readAnnouncement(text, old)
    const proof = await inclusionProof(index, tree.size, source.tile)
    const isHere = verifyInclusion({ index, leaf: leafHash(leaf), ...tree }, proof)
    return isHere && policy.logs.some((known) => isSameKey(known.key, next)) ? true : undefined
  })
  return found === true
}

/**
 * The policy with the keys that the log announced since it was pinned. Throws `Misbehaviour` if the checkpoint is signed by a key that the
 * registry names as the log's, but that was not announced in an earlier tree.
 */
export const learnKeys = async (checkpoint: string, log: Log): Promise<LogPolicy> => {
  const { policy } = log
  const note = parseNote(checkpoint)
  const { origin, size, root } = parseCheckpoint(note.text)
  const isKnown = (signature: Pick<NoteKey, 'name' | 'keyId'>) =>
    policy.logs.some(({ key }) => isSameKey(key, signature))
  const unknown = note.signatures.filter((signature) => signature.name === origin && !isKnown(signature))
  const described = unknown.length > 0 ? await log.describe() : undefined
  if (!described) return policy
  const { successors } = described
  // Whether enough witnesses saw an announcement matters for trust, and not for an alarm.
  const announcing = await withSuccessors({ ...policy, quorum: 'none' }, successors)
  for (const vkey of described.vkeys) {
    const key = parseVkey(vkey)
    if (!unknown.some((signature) => isSameKey(key, signature))) continue
    if ((await verifyNote(note, [key])).length === 0) continue
    const announcement = await firstOf(successors, async (text) => {
      const found = await readAnnouncement(text, announcing)
      return isSameKey(found.key, key) ? { text, index: found.index } : undefined
    })
    if (announcement && announcement.index < size) continue
    if (!announcement && (await isPredecessor(key, successors, { size, root }, { ...log, policy: announcing })))
      continue
    throw new Misbehaviour({
      evidence: 'countersign-log/1',
      kind: 'unlogged_key',
      checkpoint,
      vkey,
      announcement: announcement?.text ?? null,
    })
  }
  return withSuccessors(policy, successors)
}
