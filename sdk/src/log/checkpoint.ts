import { LogError, readCount, readHash, toBase64 } from './bytes.ts'
import type { TreeHead } from './tree.ts'

/** What a log says about its tree (c2sp.org/tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The log's name, such as `registry.example/log`. */
  origin: string
  /** More lines, with no meaning here. */
  extensions: string[]
}

/** Reads the text of a checkpoint, without its signatures. Throws a {@link LogError}. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  if (origin === '' || more.pop() !== '' || more.includes('')) throw new LogError('Malformed checkpoint')
  return {
    origin,
    size: readCount(size, 'tree size in the checkpoint'),
    root: readHash(root, 'root hash in the checkpoint'),
    extensions: more,
  }
}

/** The text that the log signs. */
export const formatCheckpoint = ({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`
