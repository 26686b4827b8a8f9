import { ensure, fromBase64, readCount, readHash, toBase64 } from './bytes.ts'
import { type LogPolicy, type VerifiedCheckpoint, verifyCheckpoint } from './policy.ts'
import { verifyInclusion } from './tree.ts'

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
/** Enough for a tree of 2^53 entries. */
const maxHashes = 63

/** Reads a proof. Throws a {@link LogError}. */
export const parseProof = (text: string): LogProof => {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()?.slice(6) ?? '') : null
  const [index = '', ...hashes] = lines
  const isProof = first === header && extra !== undefined && index.startsWith('index ') && hashes.length <= maxHashes
  ensure(isProof, 'Malformed proof')
  return {
    index: readCount(index.slice(6), 'index in the proof'),
    hashes: hashes.map((hash) => readHash(hash, 'hash in the proof')),
    checkpoint: text.slice(end + 2),
    ...(extra && { extra }),
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
  const isIncluded = verifyInclusion({ ...checkpoint, index: proof.index, leaf }, proof.hashes)
  ensure(isIncluded, 'The log does not contain this entry')
  return checkpoint
}
