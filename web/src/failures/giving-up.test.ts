import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askOrKeepOnce, forgetOld } from './giving-up.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController()
    setTimeout(() => late.abort(), ms)
    return late.signal
  })
})
afterEach(() => {
  vi.restoreAllMocks()
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
  const outcomeOf = async (answer: Promise<string>) => [await answer.catch(() => 'failed'), cache.get(name)?.data]
  const fail = (afterMs = 60_000, isKeptForTyping = false) => {
    vi.advanceTimersByTime(afterMs)
    const failing = () => Promise.reject(new Error('offline'))
    return outcomeOf(askOrKeepOnce<string>(cached, name, failing, { isKeptForTyping }))
  }
  const hang = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs)
    const outcome = outcomeOf(askOrKeepOnce<string>(cached, name, () => new Promise(() => undefined)))
    await vi.advanceTimersByTimeAsync(15_000)
    return outcome
  }
  const visit = (afterMs: number) => {
    vi.advanceTimersByTime(afterMs)
    forgetOld(cached, name)
    return cache.get(name)?.data
  }
  return { state, succeed, fail, hang, visit }
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

  it('counts as failed after 15 seconds without an answer, and its age counts until then', async () => {
    const { succeed, hang } = createPage()
    await succeed()
    expect([await hang(60_000), await hang(60_000)]).toEqual([kept, forgotten])
    await succeed()
    expect(await hang(110_000)).toEqual(forgotten)
  })

  it('is not shown on a later visit if it is older than two minutes', async () => {
    const { succeed, visit } = createPage()
    await succeed()
    expect([visit(119_000), visit(1_000)]).toEqual(['verified', undefined])
  })

  it('stays beside the failure while the visitor types, and is forgotten at the next failure after that', async () => {
    const { state, succeed, fail } = createPage()
    await succeed()
    state.fields = [{ value: 'half typed', defaultValue: '' }]
    const failAgain = () => fail(60_000, true)
    expect([await failAgain(), await failAgain(), await failAgain()]).toEqual([
      kept,
      shownWithFailure,
      shownWithFailure,
    ])
    state.fields = []
    expect(await failAgain()).toEqual(forgotten)
  })

  it('is forgotten while the visitor types if the page does not say so', async () => {
    const { state, succeed, fail } = createPage()
    await succeed()
    state.fields = [{ value: 'half typed', defaultValue: '' }]
    expect([await fail(), await fail()]).toEqual([kept, forgotten])
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
