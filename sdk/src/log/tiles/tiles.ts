import { concat, LogError } from '../bytes.ts'

/** Hashes of a full tile, and entries of a full bundle. */
export const tileWidth = 256
/** Bytes of a SHA-256 hash. */
export const hashLength = 32

/** One tile of a log (c2sp.org/tlog-tiles). */
export interface Tile {
  /** The level from 0, or `entries` for a bundle of entries. */
  level: number | 'entries'
  /** The position in the level, from 0. */
  index: number
  /** How many hashes or entries it has: 256, or fewer in a partial tile. */
  width: number
}

/** The path of a tile below the log's address, such as `tile/0/x001/234.p/17`. */
export const tilePath = ({ level, index, width }: Tile): string => {
  let path = String(index % 1000).padStart(3, '0')
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`
  return `tile/${level}/${path}${width === tileWidth ? '' : `.p/${width}`}`
}

/** The tile that a path names; undefined for any other spelling. */
export const parseTilePath = (path: string): Tile | undefined => {
  const match = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (!match) return undefined
  const [, level = '', index = '', width = String(tileWidth)] = match
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: Number(width),
  }
  const isInRange = (level === 'entries' || Number(level) < 64) && tile.width > 0 && tile.width <= tileWidth
  return isInRange && tilePath(tile) === path ? tile : undefined
}

/** How many hashes level `level` has in a tree of this size; counts entries for `entries`. */
export const levelWidth = (level: Tile['level'], size: number): number =>
  Math.floor(size / tileWidth ** (level === 'entries' ? 0 : level))

/** Tile `index` of a level in a tree of this size: full if it is, else partial. Throws a {@link LogError} if the tree lacks it. */
export const tileAt = (level: Tile['level'], index: number, size: number): Tile => {
  const width = Math.min(levelWidth(level, size) - index * tileWidth, tileWidth)
  if (width < 1) throw new LogError(`A tree of size ${size} has no such tile`)
  return { level, index, width }
}

/** The partial tiles at the right edge of a tree: what appending needs to know. */
export const edgeTiles = (size: number): Tile[] => {
  const tiles: Tile[] = []
  for (let level = 0; levelWidth(level, size) > 0; level++) {
    const width = levelWidth(level, size)
    if (width % tileWidth > 0) tiles.push(tileAt(level, Math.floor(width / tileWidth), size))
  }
  return tiles
}

/** The entries of a bundle. Throws a {@link LogError} unless it has exactly `width`. */
export const parseBundle = (bundle: Uint8Array, width: number): Uint8Array[] => {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length)
  const entries: Uint8Array[] = []
  for (let offset = 0; offset < bundle.length; ) {
    const start = offset + 2
    offset = start > bundle.length ? Number.POSITIVE_INFINITY : start + view.getUint16(start - 2)
    if (offset > bundle.length) throw new LogError('A bundle of entries is cut off')
    entries.push(bundle.subarray(start, offset))
  }
  if (entries.length !== width) throw new LogError(`A bundle has ${entries.length} entries instead of ${width}`)
  return entries
}

/** The bundle of these entries, each of at most 65,535 bytes. */
export const formatBundle = (entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  concat(
    ...entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new LogError('An entry has more than 65,535 bytes')
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
    }),
  )
