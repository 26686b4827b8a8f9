import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import log from '../testing/vectors/log.json' with { type: 'json' }
import { parseCheckpoint } from './checkpoint.ts'
import { parseNote, parseVkey, verifyNote } from './note.ts'
import { parsePolicy, verifyCheckpoint } from './policy.ts'
import { formatProof, parseProof, verifyProof } from './proof.ts'
import { appendLeaves, emptyEdge, headOf, type TileData } from './tiles/append.ts'
import { consistencyProof, inclusionProof } from './tiles/prove.ts'
import { tilePath } from './tiles/tiles.ts'
import { leafHash, verifyConsistency, verifyInclusion } from './tree.ts'

const leafAt = (index: number) => leafHash(Buffer.from(`entry ${index}`))
const hashesOf = (encoded: readonly string[]) => encoded.map((hash) => Buffer.from(hash, 'base64'))
const roots = new Map(log.trees.map(({ size, root }) => [size, Buffer.from(root, 'base64')]))
const headAt = (size: number) => ({ size, root: roots.get(size) ?? Buffer.alloc(0) })

/** The log of the vectors, appended from one of its sizes to the next. */
const tiles = new Map<string, TileData>()
const heads = new Map<number, string>()
let edge = emptyEdge
for (const { size } of log.trees) {
  const added = Array.from({ length: size - edge.size }, (_, index) => leafAt(edge.size + index))
  const appended = appendLeaves(edge, added)
  for (const tile of appended.tiles) tiles.set(tilePath(tile), tile)
  edge = appended.edge
  heads.set(size, Buffer.from(headOf(edge).root).toString('base64'))
}
const read = (tile: Parameters<typeof tilePath>[0]) => tiles.get(tilePath(tile))?.hashes ?? new Uint8Array()

describe('the vectors of Go’s implementations', () => {
  it.each(log.trees)('of size $size: root and signed checkpoint', async ({ size, root, checkpoint }) => {
    expect(heads.get(size)).toBe(root)
    const note = parseNote(checkpoint)
    expect(await verifyNote(note, [parseVkey(log.log)])).toHaveLength(1)
    const { origin, root: signed } = parseCheckpoint(note.text)
    expect([origin, Buffer.from(signed).toString('base64')]).toEqual([log.origin, root])
  })

  it.each(log.tiles)('of size $size: $path', ({ path, sha256 }) => {
    const hashes = tiles.get(path)?.hashes
    expect(hashes && createHash('sha256').update(hashes).digest('hex')).toBe(sha256)
  })

  it('are proofs of inclusion that are verified here, and made here', async () => {
    expect(log.inclusion.length).toBeGreaterThan(20)
    for (const { size, index, proof } of log.inclusion) {
      const { root } = headAt(size)
      expect(verifyInclusion({ index, size, leaf: leafAt(index), root }, hashesOf(proof))).toBe(true)
      const made = await inclusionProof(index, size, read)
      expect(made.map((hash) => Buffer.from(hash).toString('base64'))).toEqual(proof)
    }
  })

  it('are proofs of consistency that are verified here, and made here', async () => {
    expect(log.consistency.length).toBeGreaterThan(50)
    for (const { old, size, proof } of log.consistency) {
      expect(verifyConsistency(headAt(old), headAt(size), hashesOf(proof)), `${old} ${size}`).toBe(true)
      const made = await consistencyProof(old, size, read)
      expect(made.map((hash) => Buffer.from(hash).toString('base64'))).toEqual(proof)
    }
  })

  it.each(Object.entries(log.policies))('are cosigned checkpoints; policy %s', async (name, text) => {
    const policy = parsePolicy(text)
    for (const { checkpoint, is_witnessed } of log.cosigned) {
      const expected = (is_witnessed as Record<string, boolean>)[name]
      expect((await verifyCheckpoint(checkpoint, policy)).isWitnessed).toBe(expected)
    }
  })

  it('are a tlog-proof', async () => {
    const proof = parseProof(log.proof)
    expect(formatProof(proof)).toBe(log.proof)
    const { cosigned } = await verifyProof(proof, leafAt(123), parsePolicy(log.policies.one))
    expect(cosigned).toEqual(new Map([['one', 1_795_000_000]]))
  })
})
