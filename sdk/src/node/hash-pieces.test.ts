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

describe('hashing files for other signers', { timeout: 30_000 }, () => {
  it.each([
    { algorithm: 'sha256', name: 'sha256' },
    { algorithm: 'sha384', name: 'sha384' },
    { algorithm: 'sha512', name: 'sha512' },
    { algorithm: 'blake2b', name: 'blake2b512' },
  ] as const)('returns $algorithm of whole files, including empty ones', async ({ algorithm, name }) => {
    const { files } = await hashPieces(makeFolder({ a: 'weights', 'sub/empty': '' }), { algorithm })
    expect(byName(files)).toEqual({ a: [hex('weights', name)], 'sub/empty': [hex('', name)] })
  })

  it.each([1, 7, 8, 9, 16, 17])(
    'in pieces of 8 returns each piece of %i bytes, and none for an empty file',
    async (bytes) => {
      const content = Buffer.alloc(bytes, 'abcdefghij')
      const { files } = await hashPieces(makeFolder({ a: content, empty: '' }), { algorithm: 'sha256', pieceBytes: 8 })
      const pieces = Array.from({ length: Math.ceil(bytes / 8) }, (_, index) =>
        hex(content.subarray(index * 8, index * 8 + 8)),
      )
      expect(byName(files)).toEqual({ a: pieces, empty: [] })
    },
  )

  it.each([
    { where: 'here', other: '' },
    { where: 'in threads', other: Buffer.alloc(17_000_000) },
  ])('cuts pieces independently of how the file is read, $where', async ({ other }) => {
    const content = Buffer.alloc(700_001, 'model')
    const folder = makeFolder({ a: content, b: other })
    const { files } = await hashPieces(folder, { algorithm: 'sha256', pieceBytes: 300_000 })
    const pieces = [0, 300_000, 600_000].map((start) => hex(content.subarray(start, start + 300_000)))
    expect(byName(files).a).toEqual(pieces)
  })

  it('does not read a file whose size differs from the signed one', async () => {
    const requests: [string, number][] = []
    const isWanted = (name: string, pieces: number) => requests.push([name, pieces]) > 0 && name === 'b'
    const { files } = await hashPieces(makeFolder({ a: '123456789', b: '1' }), {
      algorithm: 'sha256',
      pieceBytes: 8,
      isWanted,
    })
    expect(requests.sort()).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(byName(files)).toEqual({ a: null, b: [hex('1')] })
  })

  it('rejects what hashing a model rejects, and unknown algorithms', async () => {
    await expect(hashPieces(makeFolder({}), { algorithm: 'sha256' })).rejects.toMatchObject({ code: 'MODEL_EMPTY' })
    expect(['sha256', 'blake2b', 'blake3', 'blake2s', 'toString'].map(isPieceAlgorithm)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
  // From the official vectors (https://github.com/BLAKE3-team/BLAKE3, test_vectors.json): bytes 0, 1, … 250, 0, 1, …
  const counting = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251))
  const vectors = {
    empty: { bytes: 0, digest: 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262' },
    short: { bytes: 1_024, digest: '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7' },
    long: { bytes: 102_400, digest: 'bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085' },
  }

  it('matches the official BLAKE3 vectors, whole and in pieces', async () => {
    const folder = makeFolder(
      Object.fromEntries(Object.entries(vectors).map(([name, { bytes }]) => [name, counting(bytes)])),
    )
    const { files } = await hashPieces(folder, { algorithm: 'blake3' })
    expect(byName(files)).toEqual(
      Object.fromEntries(Object.entries(vectors).map(([name, { digest }]) => [name, [digest]])),
    )
    const twice = makeFolder({ a: Buffer.concat([counting(1_024), counting(1_024)]) })
    const pieces = await hashPieces(twice, { algorithm: 'blake3', pieceBytes: 1_024 })
    expect(byName(pieces.files)).toEqual({ a: [vectors.short.digest, vectors.short.digest] })
  })

  it('stops BLAKE3 of a large file with the reason of its signal', async () => {
    const folder = makeFolder({ a: Buffer.alloc(4_000_000), b: '' })
    const stop = new AbortController()
    const hashed = hashPieces(folder, {
      algorithm: 'blake3',
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(hashed).rejects.toThrow('enough')
  })
})
