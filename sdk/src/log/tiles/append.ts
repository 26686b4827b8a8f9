import { concat, LogError } from '../bytes.ts'
import { emptyRoot, nodeHash, type TreeHead } from '../tree.ts'
import { hashLength, levelWidth, type Tile, tileWidth } from './tiles.ts'

/** The right edge of a tree: the hashes of the partial tile of each level, joined; empty where the last tile is full. */
export interface TreeEdge {
  /** The number of entries. */
  size: number
  /** By level, from 0. */
  levels: readonly Uint8Array[]
}

/** A tile with its hashes. */
export interface TileData extends Tile {
  /** The hashes, joined. */
  hashes: Uint8Array
}

/** The edge of a tree without entries. */
export const emptyEdge: TreeEdge = { size: 0, levels: [] }

/** The edge of a tree of this size from its `edgeTiles`. Throws a {@link LogError} if a tile is missing or has another width. */
export const edgeOf = (size: number, tiles: readonly TileData[]): TreeEdge => {
  const levels: Uint8Array[] = []
  for (let level = 0; levelWidth(level, size) > 0; level++) {
    const length = (levelWidth(level, size) % tileWidth) * hashLength
    const hashes = tiles.find((tile) => tile.level === level)?.hashes ?? new Uint8Array()
    if (hashes.length !== length) throw new LogError(`The edge of level ${level} is incomplete`)
    levels.push(hashes)
  }
  return { size, levels }
}

/** The root of the subtree above these hashes, joined; their number is a power of two. */
export const subtreeRoot = (hashes: Uint8Array): Uint8Array => {
  if (hashes.length === hashLength) return hashes
  const half = hashes.length / 2
  return nodeHash(subtreeRoot(hashes.subarray(0, half)), subtreeRoot(hashes.subarray(half)))
}

/** The size and root of the tree with this edge. */
export const headOf = ({ size, levels }: TreeEdge): TreeHead => {
  let root: Uint8Array | undefined
  for (const hashes of levels) {
    // From the right: the smallest complete subtree first.
    let end = hashes.length / hashLength
    for (let width = 1; end > 0; width *= 2) {
      if ((end & width) === 0) continue
      end -= width
      const subtree = subtreeRoot(hashes.subarray(end * hashLength, (end + width) * hashLength))
      root = root ? nodeHash(subtree, root) : subtree
    }
  }
  return { size, root: root ?? emptyRoot() }
}

/**
 * Appends leaf hashes to a tree. Returns its new edge, and the tiles that are new or wider, with partial tiles at the
 * end.
 */
export const appendLeaves = (
  { size, levels }: TreeEdge,
  leaves: readonly Uint8Array[],
): { edge: TreeEdge; tiles: TileData[] } => {
  const tiles: TileData[] = []
  const edge = [...levels]
  let added = leaves
  for (let level = 0; added.length > 0; level++) {
    const hashes = concat(edge[level] ?? new Uint8Array(), ...added)
    const count = hashes.length / hashLength
    const first = Math.floor(levelWidth(level, size) / tileWidth)
    const full = Math.floor(count / tileWidth)
    added = Array.from({ length: full }, (_, index) => {
      const tile = hashes.slice(index * tileWidth * hashLength, (index + 1) * tileWidth * hashLength)
      tiles.push({ level, index: first + index, width: tileWidth, hashes: tile })
      return subtreeRoot(tile)
    })
    const rest = hashes.slice(full * tileWidth * hashLength)
    if (rest.length > 0) tiles.push({ level, index: first + full, width: rest.length / hashLength, hashes: rest })
    edge[level] = rest
  }
  return { edge: { size: size + leaves.length, levels: edge }, tiles }
}
