import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatCheckpoint, formatNote, formatVkey, leafHash, noteKey, signNote } from '@countersign/sdk/log'
import { appendLeaves, emptyEdge, formatBundle, headOf, tileAt, tilePath } from '@countersign/sdk/log/tiles'
import { expect, it, onTestFinished } from 'vitest'
import { folder } from './generate.ts'
import { buildGoProgram } from './go-program.ts'

const go = await buildGoProgram('go')
const why = 'missing' in go ? ` (skipped: ${go.missing})` : ''
const runGo = (...args: string[]) => ('run' in go ? go.run(...args) : Promise.reject(new Error(go.missing)))

it.skipIf(why)(`the committed log.json is what Go’s implementations make${why}`, async () => {
  expect(await readFile(new URL('log.json', folder), 'utf8')).toBe(await runGo('vectors'))
})

it.skipIf(why).each([1, 300, 1_000])(`Go’s implementations read our log of %i entries${why}`, async (size) => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-log-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const write = async (path: string, content: Uint8Array | string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
  const entries = Array.from({ length: size }, (_, index) => Buffer.from(`fact ${index}`))
  const { edge, tiles } = appendLeaves(emptyEdge, entries.map(leafHash))
  for (const tile of tiles) await write(tilePath(tile), tile.hashes)
  for (let index = 0; index * 256 < size; index++)
    await write(tilePath(tileAt('entries', index, size)), formatBundle(entries.slice(index * 256, (index + 1) * 256)))
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = noteKey('northwind.example/log', 1, Buffer.from(x, 'base64url'))
  const text = formatCheckpoint({ origin: key.name, ...headOf(edge) })
  const signature = await signNote(text, { key, sign: (message) => sign(null, message, privateKey) })
  await write('checkpoint', formatNote({ text, signatures: [signature] }))
  expect(await runGo('read', directory, formatVkey(key), String(size))).toBe(`${key.name}: ${size} entries\n`)
})
