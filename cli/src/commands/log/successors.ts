import {
  LogError,
  type LogPolicy,
  leafHash,
  type NoteKey,
  parseNote,
  parseProof,
  parseVkey,
  signatureTypes,
  verifyProof,
} from '@countersign/sdk/log'
import { isPrivate, parseEntry } from '@countersign/sdk/log/entries'
import { z } from 'zod'

/** What the registry says about its log at `/.well-known/countersign-log`. */
export const DescribedLog = z.object({
  origin: z.string(),
  vkeys: z.array(z.string()).min(1),
  /** A proof of the entry of each successor of the log's key. */
  successors: z.array(z.string()).default([]),
})
export type DescribedLog = z.infer<typeof DescribedLog>

/** The key that a successor's proof announces, verified with `policy`. Throws a `LogError`. */
export const readAnnouncement = async (text: string, policy: LogPolicy) => {
  const { index, extra: leaf = new Uint8Array(), ...proof } = parseProof(text)
  const { origin, isWitnessed } = await verifyProof({ ...proof, index }, leafHash(leaf), policy)
  const entry = parseEntry(leaf)
  if (isPrivate(entry) || entry.type !== 'log_key.successor') throw new LogError('The entry announces no key')
  const key = parseVkey(entry.vkey)
  if (key.name !== origin || key.type !== signatureTypes.ed25519)
    throw new LogError('The entry announces a key of another log')
  return { index, leaf, key, vkey: entry.vkey, isWitnessed }
}

export const isSameKey = (a: NoteKey, b: Pick<NoteKey, 'name' | 'keyId'>) => a.name === b.name && a.keyId === b.keyId

/**
 * Adds the keys that the log announced: each in a tree that a key of the policy signed, and that the policy's witnesses have seen. Ignores
 * everything else.
 */
export const withSuccessors = async (policy: LogPolicy, successors: readonly string[]): Promise<LogPolicy> => {
  let known = policy
  for (const text of successors) {
    try {
      const { key, isWitnessed } = await readAnnouncement(text, known)
      if (isWitnessed && !known.logs.some((log) => isSameKey(log.key, key)))
        known = { ...known, logs: [...known.logs, { key }] }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
    }
  }
  return known
}

/** The policy to check proofs with: with the log’s new keys if one of the proofs is not signed by a key that the policy names. */
export const policyForProofs = async (
  proofs: readonly (string | null)[],
  policy: LogPolicy,
  describe: () => Promise<DescribedLog | undefined>,
): Promise<LogPolicy> => {
  const isKnown = (proof: string) =>
    parseNote(parseProof(proof).checkpoint).signatures.some((signature) =>
      policy.logs.some(({ key }) => isSameKey(key, signature)),
    )
  try {
    if (proofs.every((proof) => proof === null || isKnown(proof))) return policy
  } catch (error) {
    if (error instanceof LogError) return policy
    throw error
  }
  return withSuccessors(policy, (await describe())?.successors ?? [])
}
