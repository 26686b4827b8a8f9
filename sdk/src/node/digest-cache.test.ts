import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { hashModel } from './hash-model.ts'

const digestOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`

/** In whole seconds, so that exactly the same time can be set again. */
const longAgo = 1_000_000

const prepare = () => {
  const folder = mkdtempSync(join(tmpdir(), 'digest-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'model.bin')
  const cache = join(folder, 'cache')
  const stored = join(cache, 'digests.json')
  writeFileSync(path, 'weights')
  utimesSync(path, longAgo, longAgo)
  return { folder, path, cache, stored, hash: async () => (await hashModel(path, { cache })).digest }
}

/** Sets the files' times back, as if some time had passed since they were written. */
const later = () => {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 10_000)
  onTestFinished(() => void vi.restoreAllMocks())
}

/** Stores a false digest, which is returned as long as the cache is trusted. */
const falsify = (stored: string) =>
  writeFileSync(stored, readFileSync(stored, 'utf8').replaceAll(/sha256:[0-9a-f]{64}/g, digestOf('canary')))

it('does not read an unchanged file again', async () => {
  later()
  const { hash, stored } = prepare()
  expect(await hash()).toBe(digestOf('weights'))
  falsify(stored)
  expect(await hash()).toBe(digestOf('canary'))
})

it('does not cache a file written a moment ago: the next change could look the same', async () => {
  const { hash, stored } = prepare()
  await hash()
  expect(existsSync(stored)).toBe(false)
})

it.each([
  { change: 'its content', make: ({ path }: { path: string }) => writeFileSync(path, 'changed') },
  {
    change: 'its content with the old time put back',
    make: ({ path }: { path: string }) => {
      writeFileSync(path, 'changed')
      utimesSync(path, longAgo, longAgo)
    },
  },
  {
    change: 'another file in its place',
    make: ({ path, folder }: { path: string; folder: string }) => {
      writeFileSync(join(folder, 'other'), 'changed')
      renameSync(join(folder, 'other'), path)
    },
  },
])('notices $change', async ({ make }) => {
  later()
  const prepared = prepare()
  await prepared.hash()
  make(prepared)
  expect(await prepared.hash()).toBe(digestOf('changed'))
})

it.each([
  { what: 'broken', content: '{"version":1,"entries":[[' },
  { what: 'of another version', content: '{"version":99,"entries":[]}' },
  { what: 'of another shape', content: '{"version":1,"entries":[null,["x","y","z"],{}]}' },
  { what: 'no text', content: '\u0000\u0001' },
])('ignores and rebuilds a cache that is $what', async ({ content }) => {
  later()
  const { hash, cache, stored } = prepare()
  mkdirSync(cache)
  writeFileSync(stored, content, { mode: 0o600 })
  expect(await hash()).toBe(digestOf('weights'))
  expect(JSON.parse(readFileSync(stored, 'utf8')).entries).toHaveLength(1)
  expect(readdirSync(cache)).toEqual(['digests.json'])
})

it('ignores a cache that others can write', async () => {
  later()
  const { hash, stored } = prepare()
  await hash()
  falsify(stored)
  chmodSync(stored, 0o666)
  expect(await hash()).toBe(digestOf('weights'))
})

it('gives the same answers if the folder cannot hold a cache', async () => {
  later()
  const { path, folder } = prepare()
  writeFileSync(join(folder, 'taken'), '')
  expect((await hashModel(path, { cache: join(folder, 'taken') })).digest).toBe(digestOf('weights'))
})

it('has a bounded size and drops the oldest entry first', { timeout: 30_000 }, async () => {
  later()
  const { hash, cache, stored } = prepare()
  mkdirSync(cache)
  const entries = Array.from({ length: 50_000 }, (_, index) => [`1:${index}`, '1:1:1', digestOf('x')])
  writeFileSync(stored, JSON.stringify({ version: 1, entries }), { mode: 0o600 })
  await hash()
  const left = JSON.parse(readFileSync(stored, 'utf8')).entries
  expect(left).toHaveLength(50_000)
  expect(left[0][0]).toBe('1:1')
  expect(left.at(-1)[2]).toBe(digestOf('weights'))
})
