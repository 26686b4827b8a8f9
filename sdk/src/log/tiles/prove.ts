import { LogError } from '../bytes.ts'
import { emptyRoot, nodeHash } from '../tree.ts'
import { subtreeRoot } from './append.ts'
import { hashLength, type Tile, tileAt, tilePath, tileWidth } from './tiles.ts'

/** Reads the hashes of a tile, joined. */
export type ReadTile = (tile: Tile) => Uint8Array | Promise<Uint8Array>

/** Entries from `start` to before `end`: a subtree of RFC 6962. */
type Range = readonly [start: number, end: number]
/** A complete subtree of 2^height entries. */
interface Subtree {
  height: number
  index: number
}

const heightOfTile = 8

/** The largest power of two below `count`. */
const splitOf = (count: number) => {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** RFC 6962 §2.1.1, from the leaf upwards. */
const inclusionRanges = (index: number, [start, end]: Range): Range[] => {
  if (end - start === 1) return []
  const middle = start + splitOf(end - start)
  return index < middle
    ? [...inclusionRanges(index, [start, middle]), [middle, end]]
    : [...inclusionRanges(index, [middle, end]), [start, middle]]
}

/** RFC 6962 §2.1.2. `isRoot`: the range is the old tree's, so its hash is known. */
const consistencyRanges = (old: number, [start, end]: Range, isRoot: boolean): Range[] => {
  if (old === end) return isRoot ? [] : [[start, end]]
  const middle = start + splitOf(end - start)
  return old <= middle
    ? [...consistencyRanges(old, [start, middle], isRoot), [middle, end]]
    : [...consistencyRanges(old, [middle, end], false), [start, middle]]
}

/** The complete subtrees of a range, from the left. */
const subtreesOf = ([start, end]: Range): Subtree[] => {
  const found: Subtree[] = []
  for (let at = start; at < end; ) {
    let height = 0
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height++
    found.push({ height, index: at / 2 ** height })
    at += 2 ** height
  }
  return found
}

/** The tile that has a subtree's hash or the hashes below it, and where. */
const placeOf = ({ height, index }: Subtree, size: number) => {
  const level = Math.floor(height / heightOfTile)
  const width = 2 ** (height % heightOfTile)
  const first = index * width
  return { tile: tileAt(level, Math.floor(first / tileWidth), size), position: first % tileWidth, width }
}

const hashesOf = async (ranges: readonly Range[], size: number, read: ReadTile): Promise<Uint8Array[]> => {
  const places = ranges.map((range) => subtreesOf(range).map((subtree) => placeOf(subtree, size)))
  const tiles = new Map(places.flat().map(({ tile }) => [tilePath(tile), tile]))
  const contents = new Map(
    await Promise.all(
      [...tiles].map(async ([path, tile]) => {
        const hashes = await read(tile)
        if (hashes.length !== tile.width * hashLength) throw new LogError(`${path} has ${hashes.length} bytes`)
        return [path, hashes] as const
      }),
    ),
  )
  return places.map((subtrees) =>
    subtrees
      .map(({ tile, position, width }) => {
        const hashes = contents.get(tilePath(tile)) ?? new Uint8Array()
        return subtreeRoot(hashes.slice(position * hashLength, (position + width) * hashLength))
      })
      .reduceRight((right, left) => nodeHash(left, right)),
  )
}

/** The inclusion proof of an entry, from tiles. Verify it: tiles may be wrong. */
export const inclusionProof = async (index: number, size: number, read: ReadTile): Promise<Uint8Array[]> => {
  if (!(index >= 0 && index < size)) throw new LogError(`A tree of size ${size} has no entry ${index}`)
  return hashesOf(inclusionRanges(index, [0, size]), size, read)
}

/** The consistency proof between two sizes of a tree, from its tiles. Verify it: tiles may be wrong. */
export const consistencyProof = async (old: number, size: number, read: ReadTile): Promise<Uint8Array[]> => {
  if (!(old >= 0 && old <= size)) throw new LogError(`A tree of size ${size} has no earlier size ${old}`)
  return old === 0 || old === size ? [] : hashesOf(consistencyRanges(old, [0, size], true), size, read)
}

/** The root of the first `size` entries, from the tiles of a tree that has `treeSize`. Compare it: tiles may be wrong. */
export const rootFromTiles = async (size: number, read: ReadTile, treeSize = size): Promise<Uint8Array> => {
  if (!(size >= 0 && size <= treeSize)) throw new LogError(`A tree of size ${treeSize} has no earlier size ${size}`)
  if (size === 0) return emptyRoot()
  const [root] = await hashesOf([[0, size]], treeSize, read)
  return root ?? emptyRoot()
}
