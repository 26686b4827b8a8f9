import { createHash } from 'node:crypto'
import {
  LogError,
  type LogPolicy,
  leafHash,
  parseCheckpoint,
  parseNote,
  parseVkey,
  type TreeHead,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  verifyConsistency,
  verifyInclusion,
  verifyNote,
} from '@countersign/sdk/log'
import { isPrivate, parseEntry } from '@countersign/sdk/log/entries'
import { isSameKey, readAnnouncement } from '@countersign/sdk/log/facts'
import { z } from 'zod'

const base64 = z.base64()
const ProvenEntry = z.strictObject({
  index: z.number().int().min(0),
  /** The entry. */
  leaf: base64,
  /** Its inclusion proof. */
  proof: z.array(base64),
})

/** What shows that a log misbehaved; anyone with the log's key can check it. */
export const Evidence = z.discriminatedUnion('kind', [
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** Two signed trees that contradict each other. */
    kind: z.literal('fork'),
    checkpoints: z.tuple([z.string(), z.string()]),
    /** For two sizes: the root that the larger tree has at the smaller size, and its consistency proof. */
    prefix: z.strictObject({ root: base64, proof: z.array(base64) }).nullable(),
  }),
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** A smaller tree was shown after a larger one. */
    kind: z.literal('rollback'),
    checkpoints: z.tuple([z.string(), z.string()]),
  }),
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** A fact was logged long after its time. */
    kind: z.literal('backfill'),
    checkpoint: z.string(),
    /** The beginning of the log, an entry after it, and a later entry about an earlier time. */
    entries: z.array(ProvenEntry).min(2).max(3),
  }),
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** An entry was served that is not the one in the signed tree. */
    kind: z.literal('changed_entry'),
    checkpoint: z.string(),
    index: z.number().int().min(0),
    served: base64,
    leaf_hash: base64,
    proof: z.array(base64),
  }),
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** The log served no tree that its checkpoint signs. */
    kind: z.literal('missing_tree'),
    checkpoints: z.tuple([z.string(), z.string()]),
  }),
  z.strictObject({
    evidence: z.literal('countersign-log/1'),
    /** A key signed a tree that does not announce it. */
    kind: z.literal('unlogged_key'),
    checkpoint: z.string(),
    vkey: z.string(),
    /** The proof that it was announced in a later tree; null if it never was. */
    announcement: z.string().nullable(),
  }),
])
export type Evidence = z.infer<typeof Evidence>

export const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const fromBase64 = (text: string) => Buffer.from(text, 'base64')

/** The file of a piece of evidence: its name follows from its content. */
export const formatEvidence = (evidence: Evidence): { name: string; text: string } => {
  const text = `${JSON.stringify(evidence, null, 2)}\n`
  return { name: `evidence-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`, text }
}

/** The evidence in a file; undefined if it is another file. */
export const parseEvidence = (text: string): Evidence | undefined => {
  try {
    return Evidence.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** What a piece of evidence shows. `isProof`: it convinces someone who does not trust the person who saved it. */
export interface Showing {
  isProof: boolean
  says: string
}

/** How far facts may be logged out of order: transactions overlap, and clocks of replicas differ. */
export const backfillToleranceMs = 10 * 60_000

/** Checks evidence with the keys of a policy. Throws a `LogError` if it shows nothing. */
export const checkEvidence = async (evidence: Evidence, policy: LogPolicy): Promise<Showing> => {
  switch (evidence.kind) {
    case 'fork': {
      const [one, other] = await verifyPair(evidence.checkpoints, policy)
      return checkFork(one, other, evidence.prefix)
    }
    case 'rollback': {
      const [seen, shown] = await verifyPair(evidence.checkpoints, policy)
      if (shown.size >= seen.size) throw new LogError('The second tree is not smaller than the first')
      return {
        isProof: false,
        says: `The log signed a tree of ${seen.size} entries, but showed one of ${shown.size} afterwards. Both trees are signed, but the order in which they were seen is not.`,
      }
    }
    case 'missing_tree': {
      const [, shown] = await verifyPair(evidence.checkpoints, policy)
      return {
        isProof: false,
        says: `The log signed a tree of ${shown.size} entries, but did not serve its tiles and entries. The tree is signed, but the answers are not.`,
      }
    }
    case 'unlogged_key':
      return checkUnloggedKey(evidence, policy)
    case 'backfill':
      return checkBackfill(evidence, await verifyCheckpoint(evidence.checkpoint, policy))
    case 'changed_entry': {
      const { size, root } = await verifyCheckpoint(evidence.checkpoint, policy)
      const leaf = fromBase64(evidence.leaf_hash)
      const { index } = evidence
      if (!verifyInclusion({ index, size, leaf, root }, evidence.proof.map(fromBase64)))
        throw new LogError('The proof of the entry is invalid')
      if (leaf.equals(leafHash(fromBase64(evidence.served)))) throw new LogError('The served entry is the signed one')
      return {
        isProof: false,
        says: `Entry ${index} is not the one in the signed tree. The tree is signed, but the served entry is not.`,
      }
    }
  }
}

const checkUnloggedKey = async (
  { checkpoint, vkey, announcement }: Extract<Evidence, { kind: 'unlogged_key' }>,
  policy: LogPolicy,
): Promise<Showing> => {
  const note = parseNote(checkpoint)
  const { origin, size } = parseCheckpoint(note.text)
  const key = parseVkey(vkey)
  if (key.name !== origin || !policy.logs.some((log) => log.key.name === origin))
    throw new LogError('The key is of another log')
  if (policy.logs.some((log) => isSameKey(log.key, key))) throw new LogError('The policy names this key')
  if ((await verifyNote(note, [key])).length === 0) throw new LogError('The key did not sign the checkpoint')
  const signed = `${vkey} signed a tree of ${size} entries in the log’s name`
  if (announcement === null)
    return {
      isProof: false,
      says: `${signed}, but the log never announced this key. Nothing signed says that the registry named it as the log’s key.`,
    }
  const found = await readAnnouncement(announcement, policy)
  if (!isSameKey(found.key, key)) throw new LogError('The log announced another key')
  if (found.index < size) throw new LogError('The log announced this key before it signed')
  return { isProof: true, says: `${signed}, but the log announced this key only later, in entry ${found.index}.` }
}

const verifyPair = async ([first, second]: readonly [string, string], policy: LogPolicy) => {
  const pair = [await verifyCheckpoint(first, policy), await verifyCheckpoint(second, policy)] as const
  if (pair[0].origin !== pair[1].origin) throw new LogError('The checkpoints are of two logs')
  return pair
}

const checkFork = (one: TreeHead, other: TreeHead, prefix: { root: string; proof: string[] } | null): Showing => {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  const claimed = prefix ? fromBase64(prefix.root) : large.root
  const isPrefix = prefix
    ? verifyConsistency({ size: small.size, root: claimed }, large, prefix.proof.map(fromBase64))
    : small.size === large.size
  if (!isPrefix) throw new LogError('The proof of the larger tree is invalid')
  if (Buffer.from(small.root).equals(claimed)) throw new LogError('The trees agree')
  return {
    isProof: true,
    says:
      small.size === large.size
        ? `The log signed two different trees of ${small.size} entries.`
        : `The log signed a tree of ${small.size} entries, and one of ${large.size} that does not start with them.`,
  }
}

const checkBackfill = (
  { entries }: Extract<Evidence, { kind: 'backfill' }>,
  { size, root }: VerifiedCheckpoint,
): Showing => {
  const read = entries.map(({ index, leaf, proof }) => {
    const bytes = fromBase64(leaf)
    if (!verifyInclusion({ index, size, leaf: leafHash(bytes), root }, proof.map(fromBase64)))
      throw new LogError(`The proof of entry ${index} is invalid`)
    return { index, entry: parseEntry(bytes) }
  })
  const [opened, before, late] = read.length === 3 ? read : [read[0], read[0], read[1]]
  if (!opened || !before || !late || opened.entry.type !== 'log.opened' || isPrivate(opened.entry))
    throw new LogError('The first entry does not open the log')
  if (late.entry.type === 'log.opened' && late.index > opened.index)
    return { isProof: true, says: `Entry ${late.index} opens the log a second time.` }
  const earlierMs = Date.parse(before.entry.at) - Date.parse(late.entry.at)
  if (before.index < opened.index || late.index <= before.index || earlierMs <= backfillToleranceMs)
    throw new LogError('The entries are in order')
  return {
    isProof: true,
    says: `Entry ${late.index} is about ${late.entry.at}, but was logged after entry ${before.index} of ${before.entry.at}.`,
  }
}
