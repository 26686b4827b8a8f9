import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogError, parseCheckpoint, parseNote } from '@countersign/sdk/log'
import { edgeOf, emptyEdge, headOf, type TreeEdge } from '@countersign/sdk/log/tiles'
import { z } from 'zod'
import { Failure } from '../../../failure.ts'
import { writeDurably } from '../durable-file.ts'

/** What the monitor knows of a log: enough to notice any change to the entries that it has read. */
export interface MonitorState {
  /** The last checkpoint that it verified; null before the first. */
  checkpoint: string | null
  edge: TreeEdge
  /** The entry that opened the log. */
  opened: number | null
  /** The entry about the latest time, since the log was opened. */
  latest: { index: number; at: number } | null
  /** Providers whose entries are reported because of their domain or name. */
  providers: string[]
  /** The policy that was pinned at the first run without --policy. */
  policy: string | null
}

const Saved = z.strictObject({
  version: z.literal(1),
  checkpoint: z.string().nullable(),
  size: z.number().int().min(0),
  levels: z.array(z.base64()),
  opened: z.number().int().nullable(),
  latest: z.strictObject({ index: z.number().int(), at: z.number() }).nullable(),
  providers: z.array(z.string()),
  policy: z.string().nullable(),
})

const newState: MonitorState = {
  checkpoint: null,
  edge: emptyEdge,
  opened: null,
  latest: null,
  providers: [],
  policy: null,
}

const fileOf = (folder: string) => join(folder, 'monitor.json')

/** The edge with the tree that the checkpoint signs. A damaged one would make an honest log look like a fork. */
const readEdge = (size: number, levels: readonly string[], checkpoint: string | null): TreeEdge => {
  const tiles = levels.map((hashes, level) => ({
    level,
    index: 0,
    width: 0,
    hashes: new Uint8Array(Buffer.from(hashes, 'base64')),
  }))
  const edge = edgeOf(size, tiles)
  const signed = checkpoint === null ? headOf(emptyEdge) : parseCheckpoint(parseNote(checkpoint).text)
  if (signed.size !== size || !Buffer.from(signed.root).equals(headOf(edge).root))
    throw new LogError('the tree is not that of the checkpoint')
  return edge
}

export const readState = (folder: string | undefined): MonitorState => {
  if (folder === undefined || !existsSync(fileOf(folder))) return newState
  try {
    const saved = Saved.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')))
    const { version, size, levels, ...state } = saved
    return { ...state, edge: readEdge(size, levels, state.checkpoint) }
  } catch (error) {
    // Starting from scratch would forget the tree that the log must continue.
    throw new Failure(
      'monitor_state',
      2,
      `${fileOf(folder)} cannot be read: ${(error as Error).message.split('\n')[0]}`,
    )
  }
}

export const saveState = (folder: string | undefined, { edge, ...state }: MonitorState) => {
  if (folder === undefined) return
  const levels = edge.levels.map((hashes) => Buffer.from(hashes).toString('base64'))
  writeDurably(fileOf(folder), `${JSON.stringify({ version: 1, ...state, size: edge.size, levels })}\n`)
}
