import { ensure, readCount, readHash, toBase64 } from './bytes.ts'
import type { TreeHead } from './tree.ts'

/** What a log says about its tree (c2sp.org/tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The log's name, such as `registry.example/log`. */
  origin: string
  /** Further lines, which are ignored. */
  extensions: string[]
}

/** Reads the text of a checkpoint, without its signatures. Throws a {@link LogError}. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin, size = '', root = '', ...more] = text.split('\n')
  ensure(origin && more.pop() === '' && !more.includes(''), 'Malformed checkpoint')
  return { origin, size: readCount(size, 'tree size'), root: readHash(root, 'root hash'), extensions: more }
}

/** The text that the log signs. */
export const formatCheckpoint = ({ origin, size, root }: Omit<Checkpoint, 'extensions'>): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`
