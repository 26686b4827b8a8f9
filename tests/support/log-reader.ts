import {
  type LogPolicy,
  leafHash,
  parsePolicy,
  type TreeHead,
  verifyCheckpoint,
  verifyConsistency,
} from '@countersign/sdk/log'
import { type LogEntry, parseEntry } from '@countersign/sdk/log/entries'
import {
  consistencyProof,
  levelWidth,
  parseBundle,
  rootFromTiles,
  type Tile,
  tileAt,
  tilePath,
  tileWidth,
} from '@countersign/sdk/log/tiles'

/** A client of the log that trusts nothing but its key, as a monitor does. */
export const createLogReader = async (address: string, policy?: LogPolicy) => {
  const ask = async (path: string) => {
    const response = await fetch(`${address}${path}`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response
  }
  const described = (await (await ask('/.well-known/countersign-log')).json()) as { policy: string }
  const trusted = policy ?? parsePolicy(described.policy)
  const readTile = async (tile: Tile) => new Uint8Array(await (await ask(`/log/${tilePath(tile)}`)).arrayBuffer())
  const checkpoint = async () => verifyCheckpoint(await (await ask('/log/checkpoint')).text(), trusted)

  const readLeaves = async (size: number): Promise<Uint8Array[]> => {
    const leaves: Uint8Array[] = []
    for (let index = 0; index * tileWidth < levelWidth('entries', size); index++) {
      const tile = tileAt('entries', index, size)
      leaves.push(...parseBundle(await readTile(tile), tile.width))
    }
    return leaves
  }

  return {
    checkpoint,
    /** What anyone can send to a witness that has seen `old` entries. */
    submission: async (old: number): Promise<string> => {
      const note = await (await ask('/log/checkpoint')).text()
      const { size } = await verifyCheckpoint(note, trusted)
      const proof = await consistencyProof(old, size, readTile)
      return [`old ${old}`, ...proof.map((hash) => Buffer.from(hash).toString('base64')), '', note].join('\n')
    },
    /** What is wrong with the log, for a client that has seen an earlier checkpoint; undefined if all is well. */
    findFault: async (earlier?: TreeHead): Promise<string | undefined> => {
      try {
        const { size, root } = await checkpoint()
        if (Buffer.compare(await rootFromTiles(size, readTile), root) !== 0) return 'the tiles have another root'
        for (const [index, leaf] of (await readLeaves(size)).entries()) {
          const tile = await readTile(tileAt(0, Math.floor(index / tileWidth), size))
          const at = (index % tileWidth) * 32
          if (Buffer.compare(tile.subarray(at, at + 32), leafHash(leaf)) !== 0) return `entry ${index} is another`
        }
        if (!earlier) return undefined
        if (size < earlier.size) return 'the tree has shrunk'
        const proof = await consistencyProof(earlier.size, size, readTile)
        return verifyConsistency(earlier, { size, root }, proof)
          ? undefined
          : 'the tree does not contain the earlier one'
      } catch (error) {
        return error instanceof Error ? error.message : 'unreadable'
      }
    },
    entries: async (): Promise<LogEntry[]> => (await readLeaves((await checkpoint()).size)).map(parseEntry),
  }
}
