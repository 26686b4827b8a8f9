import { leafHash } from '@countersign/sdk/log'
import { type LogEntry, parseEntry } from '@countersign/sdk/log/entries'
import { appendLeaves, parseBundle, type TreeEdge, tileAt, tileWidth } from '@countersign/sdk/log/tiles'
import type { LogSource } from '../log-source.ts'

/** An entry as the log served it; `entry` is null if it is not one of Countersign's. */
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

/** Reads the entries from the edge's size to `size`, appends them to the edge, and hands them to `onEntries`, some at a time. */
export const readEntries = async (
  start: TreeEdge,
  size: number,
  source: Pick<LogSource, 'bundle'>,
  onEntries: (entries: readonly ReadEntry[]) => Promise<void>,
): Promise<TreeEdge> => {
  let edge = start
  const first = Math.floor(edge.size / tileWidth)
  const count = Math.ceil(size / tileWidth) - first
  for (let done = 0; done < count; done += ahead) {
    const bundles = await Promise.all(
      Array.from({ length: Math.min(ahead, count - done) }, async (_, offset) => {
        const tile = tileAt('entries', first + done + offset, size)
        const { bytes, width } = await source.bundle(tile)
        return { index: tile.index, entries: parseBundle(bytes, width).slice(0, tile.width) }
      }),
    )
    for (const { index, entries } of bundles) {
      const { size: from } = edge
      const leaves = entries.slice(Math.max(0, from - index * tileWidth))
      edge = appendLeaves(edge, leaves.map(leafHash)).edge
      await onEntries(leaves.map((leaf, offset) => ({ index: from + offset, leaf, entry: entryOf(leaf) })))
    }
  }
  return edge
}
