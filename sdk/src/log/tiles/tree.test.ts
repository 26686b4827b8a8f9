import { describe, expect, it } from 'vitest'
import { emptyRoot, leafHash, nodeHash, verifyConsistency, verifyInclusion } from '../tree.ts'
import { appendLeaves, edgeOf, emptyEdge, headOf, type TileData } from './append.ts'
import { consistencyProof, inclusionProof, rootFromTiles } from './prove.ts'
import { edgeTiles, formatBundle, parseBundle, parseTilePath, type Tile, tilePath } from './tiles.ts'

/** Numbers below `limit`, the same in every run. */
const seeded = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const leafAt = (index: number) => leafHash(new TextEncoder().encode(`entry ${index}`))
const most = 5_000
const leaves = Array.from({ length: most }, (_, index) => leafAt(index))

/** MTH of RFC 6962 §2.1, as it is written there. */
const naiveRoot = (start: number, end: number): Uint8Array => {
  if (end === start) return emptyRoot()
  if (end - start === 1) return leaves[start] ?? new Uint8Array()
  let split = 1
  while (split * 2 < end - start) split *= 2
  return nodeHash(naiveRoot(start, start + split), naiveRoot(start + split, end))
}

/** A log that keeps all tiles it ever had, as static files. */
const createTiles = () => {
  const files = new Map<string, Uint8Array>()
  const store = (tiles: readonly TileData[]) => {
    for (const tile of tiles) files.set(tilePath(tile), tile.hashes)
  }
  const read = (tile: Tile) => {
    const hashes = files.get(tilePath(tile))
    if (!hashes) throw new Error(`${tilePath(tile)} was never written`)
    return hashes
  }
  return { store, read }
}

const different = (hash: Uint8Array) => hash.map((byte, index) => (index === 0 ? byte ^ 1 : byte))

describe('a tree appended in batches', () => {
  const random = seeded(20)
  const { store, read } = createTiles()
  const sizes = [0]
  let edge = emptyEdge
  while (edge.size < most) {
    const count = edge.size < 40 ? 1 : Math.min(most - edge.size, 1 + random(random(4) === 0 ? 700 : 40))
    const appended = appendLeaves(edge, leaves.slice(edge.size, edge.size + count))
    store(appended.tiles)
    edge = appended.edge
    sizes.push(edge.size)
  }
  const some = [...sizes.slice(0, 41), ...Array.from({ length: 20 }, () => sizes[random(sizes.length)] ?? 0), most]

  it('has the root of the naive tree at every size', async () => {
    for (const size of some) {
      const root = naiveRoot(0, size)
      const loaded = edgeOf(
        size,
        edgeTiles(size).map((tile) => ({ ...tile, hashes: read(tile) })),
      )
      expect(headOf(loaded), String(size)).toMatchObject({ size })
      expect(Buffer.compare(headOf(loaded).root, root), String(size)).toBe(0)
      expect(Buffer.compare(await rootFromTiles(size, read), root), String(size)).toBe(0)
    }
  })

  it('proves that it contains each entry, and nothing else', async () => {
    for (const size of some.filter((size) => size > 0)) {
      const root = naiveRoot(0, size)
      const indexes = size <= 40 ? Array.from({ length: size }, (_, index) => index) : [0, size - 1, random(size)]
      for (const index of indexes) {
        const proof = await inclusionProof(index, size, read)
        const leaf = leafAt(index)
        expect(verifyInclusion({ index, size, leaf, root }, proof), `${index} of ${size}`).toBe(true)
        const wrong = [
          verifyInclusion({ index: index + 1, size, leaf, root }, proof),
          verifyInclusion({ index, size: size * 2, leaf, root }, proof),
          verifyInclusion({ index, size, leaf: different(leaf), root }, proof),
          verifyInclusion({ index, size, leaf, root: different(root) }, proof),
          verifyInclusion({ index, size, leaf, root }, [...proof, root]),
          proof.length > 0 && verifyInclusion({ index, size, leaf, root }, proof.slice(1)),
          proof.length > 0 && verifyInclusion({ index, size, leaf, root }, proof.with(random(proof.length), leaf)),
        ]
        expect(wrong, `${index} of ${size}`).toEqual(Array(7).fill(false))
      }
    }
  })

  it('proves that it continues each earlier tree, and no other', async () => {
    for (const [position, size] of some.entries()) {
      const old = some[random(position + 1)] ?? 0
      if (old > size) continue
      const [before, after] = [
        { size: old, root: naiveRoot(0, old) },
        { size, root: naiveRoot(0, size) },
      ]
      const proof = await consistencyProof(old, size, read)
      expect(verifyConsistency(before, after, proof), `${old} to ${size}`).toBe(true)
      expect(Buffer.compare(await rootFromTiles(old, read, size), before.root), `${old} in ${size}`).toBe(0)
      const wrong = [
        verifyConsistency({ ...before, root: different(before.root) }, after, proof),
        old > 0 && verifyConsistency(before, { ...after, root: different(after.root) }, proof),
        verifyConsistency(before, after, [...proof, after.root]),
        verifyConsistency(after, before, proof) && old !== size,
        proof.length > 0 && verifyConsistency(before, after, proof.slice(1)),
      ]
      expect(wrong, `${old} to ${size}`).toEqual(Array(5).fill(false))
    }
  })

  it('refuses an edge with a tile of another width', () => {
    const tiles = edgeTiles(most).map((tile) => ({ ...tile, hashes: read(tile) }))
    expect(() => edgeOf(most - 1, tiles)).toThrow('incomplete')
    expect(() => edgeOf(most, tiles.slice(1))).toThrow('incomplete')
  })
})

describe('paths of tiles', () => {
  it.each([
    { path: 'tile/0/000', tile: { level: 0, index: 0, width: 256 } },
    { path: 'tile/63/999.p/255', tile: { level: 63, index: 999, width: 255 } },
    { path: 'tile/1/x001/x234/067', tile: { level: 1, index: 1_234_067, width: 256 } },
    { path: 'tile/entries/x001/000.p/1', tile: { level: 'entries', index: 1_000, width: 1 } },
  ] as const)('$path', ({ path, tile }) => {
    expect(tilePath(tile)).toBe(path)
    expect(parseTilePath(path)).toEqual(tile)
  })

  it.each([
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/0/x000/001',
    'tile/0/001/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/-1/000',
    'tile/0/000/',
    'tile/0/x001/x001/x001/x001/x001/000',
  ])('rejects %s', (path) => {
    expect(parseTilePath(path)).toBeUndefined()
  })
})

describe('bundles of entries', () => {
  const entries = ['', 'a', 'b'.repeat(300)].map((text) => new TextEncoder().encode(text))

  it('are read as they were written', () => {
    expect(parseBundle(formatBundle(entries), 3).map((entry) => entry.length)).toEqual([0, 1, 300])
  })

  it.each([
    { name: 'with too few entries', bundle: formatBundle(entries), width: 4 },
    { name: 'with too many', bundle: formatBundle(entries), width: 2 },
    { name: 'cut within an entry', bundle: formatBundle(entries).slice(0, -1), width: 3 },
    { name: 'cut within a length', bundle: formatBundle(entries).slice(0, 3), width: 2 },
  ])('are rejected $name', ({ bundle, width }) => {
    expect(() => parseBundle(bundle, width)).toThrow(/bundle/)
  })
})
