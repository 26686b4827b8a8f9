import { afterEach, expect, it, vi } from 'vitest'
import { askOrKeepOnce } from './giving-up.ts'

afterEach(() => vi.unstubAllGlobals())

const createPage = () => {
  const state = { isTyping: false }
  vi.stubGlobal('document', { querySelector: () => (state.isTyping ? {} : null) })
  const cache = new Map([['model', { data: 'verified' as string | undefined }]])
  const fail = () =>
    askOrKeepOnce<string>({ ...cacheOf(cache) }, 'model', () => Promise.reject(new Error('offline'))).catch(
      () => 'forgotten',
    )
  return { state, cache, fail }
}

const cacheOf = (cache: Map<string, { data: string | undefined }>) => ({
  get: (name: string) => cache.get(name),
  set: () => {},
  delete: (name: string) => void cache.delete(name),
  keys: () => cache.keys(),
})

it('keeps what is known for one failure, and forgets it at the second', async () => {
  const { cache, fail } = createPage()
  expect([await fail(), await fail()]).toEqual(['verified', 'forgotten'])
  expect(cache.size).toBe(0)
})

it('keeps it while the visitor types, and forgets it at the next failure after that', async () => {
  const { state, fail } = createPage()
  await askOrKeepOnce(cacheOf(new Map()), 'model', async () => 'verified')
  state.isTyping = true
  expect([await fail(), await fail(), await fail()]).toEqual(['verified', 'verified', 'verified'])
  state.isTyping = false
  expect(await fail()).toBe('forgotten')
})
