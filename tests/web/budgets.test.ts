import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tabNames } from '../../web/src/features/dashboard/shared/tab-names.ts'

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

const dist = process.env.TEST_WEB_DIST
  ? pathToFileURL(`${process.env.TEST_WEB_DIST}/`)
  : new URL('../../web/dist/', import.meta.url)
const read = (file: string) => readFile(new URL(file, dist))

let manifest: Record<string, Chunk>
beforeAll(async () => {
  manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'))
})

const chunkOf = (key: string): Chunk => {
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`The build has no ${key}`)
  return chunk
}

/** The names of a chunk and of all chunks that it loads eagerly. */
const withImports = (key: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const needed of chunkOf(key).imports ?? []) withImports(needed, seen)
  return seen
}

/** The chunks of the entry and of the given nested pages. */
const chunksOf = (...pages: string[]) =>
  [...pages.reduce((seen, page) => withImports(page, seen), withImports('index.html'))].map(chunkOf)

/** In kB, each file compressed separately, as the server does. */
const weigh = async (files: Iterable<string>) => {
  const sizes = await Promise.all([...new Set(files)].map(async (file) => gzipSync(await read(file)).length))
  expect(sizes.length).toBeGreaterThan(0)
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000
}

describe('the built console', () => {
  it('starts with at most 130 kB of code', async () => {
    expect(await weigh(chunksOf().map(({ file }) => file))).toBeLessThanOrEqual(130)
  })

  it.each([
    'src/features/link/link-page.tsx',
    'src/features/home/home-page.tsx',
    'src/features/providers/provider-page.tsx',
    'src/features/models/detail/model-page.tsx',
    'src/features/chat/chat-page.tsx',
  ])('shows %s with at most 147 kB of code', async (page) => {
    expect(await weigh(chunksOf(page).map(({ file }) => file))).toBeLessThanOrEqual(147)
  })

  it.each([
    ...tabNames.map((tab) => ({ page: `${tab}/${tab}-tab.tsx`, frame: ['src/features/dashboard/dashboard-page.tsx'] })),
    { page: 'register/register-model-page.tsx', frame: [] },
  ])('shows $page of the provider area with at most 207 kB of code', async ({ page, frame }) => {
    expect(
      await weigh(chunksOf(...frame, `src/features/dashboard/${page}`).map(({ file }) => file)),
    ).toBeLessThanOrEqual(207)
  })

  it.each(['sign-in/login', 'registration/register', 'password/auth-setup', 'profile/profile'])(
    'shows the form of %s with at most 204.5 kB of code',
    async (page) => {
      expect(
        await weigh(chunksOf(`src/features/account/${page}-page.tsx`).map(({ file }) => file)),
      ).toBeLessThanOrEqual(204.5)
    },
  )

  it('shows the documentation with at most 170 kB of code', async () => {
    expect(await weigh(chunksOf('src/features/docs/docs-page.tsx').map(({ file }) => file))).toBeLessThanOrEqual(170)
  })

  it('has at most 16 kB of styles', async () => {
    expect(await weigh(Object.values(manifest).flatMap(({ css = [] }) => css))).toBeLessThanOrEqual(16)
  })

  it('ships the badge for other websites as one file of at most 10 kB', async () => {
    expect(await weigh(['badge.js'])).toBeLessThanOrEqual(10)
    expect((await read('badge.js')).toString()).not.toMatch(/\bfrom ?["']|\bimport\(|_zod/)
  })

  it('starts without zod, and shows a link without it', async () => {
    // Every zod schema has this property, so any bundle with zod contains it.
    const mark = '_zod'
    expect(z.string()).toHaveProperty(mark)
    for (const { file } of chunksOf('src/features/link/link-page.tsx'))
      expect((await read(file)).toString()).not.toContain(mark)
  })
})
