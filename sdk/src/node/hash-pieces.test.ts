import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hashPieces, isPieceAlgorithm } from './hash-pieces.ts'

const makeFolder = (contents: Readonly<Record<string, string | Buffer>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'hash-pieces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const hex = (content: string | Buffer, algorithm = 'sha256') => createHash(algorithm).update(content).digest('hex')
const byName = (files: readonly { name: string; digests: string[] | null }[]) =>
  Object.fromEntries(files.map(({ name, digests }) => [name, digests]))

describe('hashing files as other signers list them', { timeout: 30_000 }, () => {
  it.each([
    { algorithm: 'sha256', name: 'sha256' },
    { algorithm: 'sha384', name: 'sha384' },
    { algorithm: 'sha512', name: 'sha512' },
    { algorithm: 'blake2b', name: 'blake2b512' },
  ] as const)('gives $algorithm of whole files, empty ones too', async ({ algorithm, name }) => {
    const { files } = await hashPieces(makeFolder({ a: 'weights', 'sub/empty': '' }), { algorithm })
    expect(byName(files)).toEqual({ a: [hex('weights', name)], 'sub/empty': [hex('', name)] })
  })

  it.each([1, 7, 8, 9, 16, 17])('in pieces of 8 gives each piece of %i bytes, and none of nothing', async (bytes) => {
    const content = Buffer.alloc(bytes, 'abcdefghij')
    const { files } = await hashPieces(makeFolder({ a: content, empty: '' }), { algorithm: 'sha256', pieceBytes: 8 })
    const pieces = Array.from({ length: Math.ceil(bytes / 8) }, (_, index) => hex(content.subarray(index * 8, index * 8 + 8)))
    expect(byName(files)).toEqual({ a: pieces, empty: [] })
  })

  it('cuts where a piece ends, wherever reading does', async () => {
    const content = Buffer.alloc(700_001, 'model')
    const { files } = await hashPieces(makeFolder({ a: content }), { algorithm: 'sha256', pieceBytes: 300_000 })
    const pieces = [0, 300_000, 600_000].map((start) => hex(content.subarray(start, start + 300_000)))
    expect(byName(files)).toEqual({ a: pieces })
  })

  it('reads nothing of a file that cannot be what was signed', async () => {
    const asked: [string, number][] = []
    const isWanted = (name: string, pieces: number) => asked.push([name, pieces]) > 0 && name === 'b'
    const { files } = await hashPieces(makeFolder({ a: '123456789', b: '1' }), { algorithm: 'sha256', pieceBytes: 8, isWanted })
    expect(asked.sort()).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(byName(files)).toEqual({ a: null, b: [hex('1')] })
  })

  it('refuses what hashing a model refuses, and knows its hashes by name', async () => {
    await expect(hashPieces(makeFolder({}), { algorithm: 'sha256' })).rejects.toMatchObject({ code: 'MODEL_EMPTY' })
    expect(['sha256', 'blake2b', 'blake3', 'toString'].map(isPieceAlgorithm)).toEqual([true, true, false, false])
  })
})
