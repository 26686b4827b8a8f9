import { LogError, leafHash } from '@countersign/sdk/log'
import { type LogEntry, parseEntry } from '@countersign/sdk/log/entries'
import { appendLeaves, parseBundle, type TreeEdge, tileAt, tileWidth } from '@countersign/sdk/log/tiles'
import type { LogSource } from '../log-source.ts'

/** An entry as the log served it; `entry` is null if this version cannot read it. */
export interface ReadEntry {
  index: number
  leaf: Uint8Array
  entry: LogEntry | null
}

/** Bundles that are fetched at once. */
const ahead = 8

const entryOf = (leaf: Uint8Array): LogEntry | null => {
  try {
    return parseEntry(leaf)
  } catch {
    return null
  }
}

/** The entries of a bundle; undefined if it is malformed or lacks some. */
const entriesOf = ({ bytes, width }: { bytes: Uint8Array; width: number }): Uint8Array[] | undefined => {
  try {
    return parseBundle(bytes, width)
  } catch (error) {
    if (error instanceof LogError) return undefined
    throw error
  }
}

/**
 * Reads the entries from the edge's size to `size`, appends them to the edge, and hands them to `onEntries`, some at a time. Undefined if
 * the log does not serve as many entries.
 */
export const readEntries = async (
  start: TreeEdge,
  size: number,
  source: Pick<LogSource, 'bundle'>,
  onEntries: (entries: readonly ReadEntry[]) => Promise<void>,
): Promise<TreeEdge | undefined> => {
  let edge = start
  const first = Math.floor(edge.size / tileWidth)
  const count = Math.ceil(size / tileWidth) - first
  for (let done = 0; done < count; done += ahead) {
    const bundles = await Promise.all(
      Array.from({ length: Math.min(ahead, count - done) }, async (_, offset) => {
        const tile = tileAt('entries', first + done + offset, size)
        return { index: tile.index, entries: entriesOf(await source.bundle(tile))?.slice(0, tile.width) }
      }),
    )
    for (const { index, entries } of bundles) {
      if (!entries) return undefined
      const { size: from } = edge
      const leaves = entries.slice(Math.max(0, from - index * tileWidth))
      edge = appendLeaves(edge, leaves.map(leafHash)).edge
      await onEntries(leaves.map((leaf, offset) => ({ index: from + offset, leaf, entry: entryOf(leaf) })))
    }
  }
  return edge
}
