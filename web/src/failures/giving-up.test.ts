import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askOrKeepOnce } from './giving-up.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface TextField {
  value: string
  defaultValue: string
}

let pages = 0

const createPage = () => {
  const state: { fields: TextField[] } = { fields: [] }
  vi.stubGlobal('document', { querySelectorAll: () => state.fields })
  const cache = new Map<string, { data: string | undefined }>()
  const name = `model ${pages++}`
  const cached = {
    get: (key: string) => cache.get(key),
    set: () => {},
    delete: (key: string) => void cache.delete(key),
    keys: () => cache.keys(),
  }
  const succeed = async () => {
    cache.set(name, { data: await askOrKeepOnce<string>(cached, name, async () => 'verified') })
  }
  const fail = async (afterMs = 60_000) => {
    vi.advanceTimersByTime(afterMs)
    const answer = askOrKeepOnce<string>(cached, name, () => Promise.reject(new Error('offline')))
    return [await answer.catch(() => 'failed'), cache.get(name)?.data]
  }
  return { state, succeed, fail }
}

const kept = ['verified', 'verified']
const forgotten = ['failed', undefined]
const shownWithFailure = ['failed', 'verified']

describe('what could not be loaded again', () => {
  it('is kept for one failure, and forgotten at the second', async () => {
    const { succeed, fail } = createPage()
    await succeed()
    expect([await fail(), await fail()]).toEqual([kept, forgotten])
  })

  it('is forgotten at once if it is older than two minutes', async () => {
    const { succeed, fail } = createPage()
    await succeed()
    expect(await fail(121_000)).toEqual(forgotten)
  })

  it('stays beside the failure while the visitor types, and is forgotten at the next failure after that', async () => {
    const { state, succeed, fail } = createPage()
    await succeed()
    state.fields = [{ value: 'half typed', defaultValue: '' }]
    expect([await fail(), await fail(), await fail()]).toEqual([kept, shownWithFailure, shownWithFailure])
    state.fields = []
    expect(await fail()).toEqual(forgotten)
  })

  it.each([
    { name: 'an empty field', field: { value: '', defaultValue: '' } },
    { name: 'an emptied field', field: { value: '', defaultValue: 'Atlas' } },
    { name: 'an unchanged field', field: { value: 'ada@guest.example', defaultValue: 'ada@guest.example' } },
  ])('is forgotten despite $name', async ({ field }) => {
    const { state, succeed, fail } = createPage()
    await succeed()
    state.fields = [field]
    expect([await fail(), await fail()]).toEqual([kept, forgotten])
  })
})
