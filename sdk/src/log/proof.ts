import { ensure, fromBase64, isSame, readCount, readHash, toBase64 } from './bytes.ts'
import { type LogPolicy, type VerifiedCheckpoint, verifyCheckpoint } from './policy.ts'
import { digestSteps } from './steps.ts'
import { inclusionSteps } from './tree.ts'

/** A proof that a log contains an entry (c2sp.org/tlog-proof), not yet verified. */
export interface LogProof {
  /** The entry's position, from 0. */
  index: number
  /** The inclusion proof: SHA-256 hashes from the leaf's sibling upwards. */
  hashes: Uint8Array[]
  /** The signed checkpoint. */
  checkpoint: string
  /** Extra data, which nothing protects. */
  extra?: Uint8Array
}

const header = 'c2sp.org/tlog-proof@v1'
/** With at most 63 hashes, which are enough for a tree of 2^53 entries. */
const form = /^c2sp\.org\/tlog-proof@v1\n(?:extra (.*)\n)?index (.*)\n((?:.+\n){0,63})\n/

/** Reads a proof. Throws a {@link LogError}. */
export const parseProof = (text: string): LogProof => {
  const [head, given = '', index = '', hashes = ''] = form.exec(text) ?? []
  const extra = fromBase64(given)
  ensure(head && extra, 'Invalid proof')
  return {
    index: readCount(index, 'proof'),
    hashes: hashes
      .split('\n')
      .slice(0, -1)
      .map((hash) => readHash(hash, 'proof')),
    checkpoint: text.slice(head.length),
    ...(given && { extra }),
  }
}

/** The proof as text. */
export const formatProof = ({ index, hashes, checkpoint, extra }: LogProof): string => {
  const lines = [header, ...(extra ? [`extra ${toBase64(extra)}`] : []), `index ${index}`, ...hashes.map(toBase64)]
  return `${lines.join('\n')}\n\n${checkpoint}`
}

/**
 * Verifies that the log contains the entry with this leaf hash. Throws a {@link LogError} if it doesn't, and whenever
 * `verifyCheckpoint` throws. The caller decides what a missing quorum means.
 */
export const verifyProof = async (
  proof: LogProof,
  leaf: Uint8Array,
  policy: LogPolicy,
): Promise<VerifiedCheckpoint> => {
  const checkpoint = await verifyCheckpoint(proof.checkpoint, policy)
  const steps = inclusionSteps(proof.index, checkpoint.size, proof.hashes)
  ensure(steps && isSame(await digestSteps(leaf, ...steps), checkpoint.root), 'The log lacks this entry')
  return checkpoint
}
