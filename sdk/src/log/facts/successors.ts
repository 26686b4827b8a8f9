import { ensure, LogError, utf8 } from '../bytes.ts'
import { type FactEntry, readFact } from '../entries/fact.ts'
import { ed25519Type, ensureOwnIds, type NoteKey, parseNote, readVkey } from '../note.ts'
import type { LogPolicy } from '../policy.ts'
import { parseProof, verifyProof } from '../proof.ts'
import { digestSteps } from '../steps.ts'
import { leafStep } from '../tree.ts'

/** The key that a successor's proof announces, verified with `policy`. Throws a `LogError`. */
export const readAnnouncement = async (text: string, policy: LogPolicy) => {
  const proof = parseProof(text)
  const entry = new TextDecoder().decode(proof.extra)
  const leaf = utf8(entry)
  const { origin, isWitnessed } = await verifyProof(proof, await digestSteps(leaf, leafStep), policy)
  const { type, vkey } = readFact(entry) as FactEntry & { vkey: string }
  const key = readVkey(vkey)
  await ensureOwnIds([key])
  ensure(type === 'log_key.successor' && key.name === origin && key.type === ed25519Type, 'Invalid key')
  return { index: proof.index, leaf, key, vkey, isWitnessed }
}

/** Whether these have the same name and key ID. */
export const isSameKey = (a: NoteKey, b: Pick<NoteKey, 'name' | 'keyId'>) => a.name === b.name && a.keyId === b.keyId

/**
 * Adds the keys that the log announced: each in a tree that a key of the policy signed, and that the policy's witnesses have seen. Ignores
 * everything else. A key that is there twice counts once.
 */
export const withSuccessors = async (policy: LogPolicy, successors: readonly string[]): Promise<LogPolicy> => {
  let known = policy
  for (const text of successors) {
    try {
      const { key, isWitnessed } = await readAnnouncement(text, known)
      if (isWitnessed) known = { ...known, logs: [...known.logs, { key }] }
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
  findSuccessors: () => Promise<readonly string[]>,
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
  return withSuccessors(policy, await findSuccessors())
}
