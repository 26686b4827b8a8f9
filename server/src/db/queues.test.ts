import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueues } from './queues.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const createQueue = () => createQueues({ waitMs: 100, tooLate: () => new Error('too late') })

it('runs the work of one key in the order of the calls, and of other keys meanwhile', async () => {
  const inTurn = createQueue()
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const run = (key: string, name: string, until: Promise<void> = Promise.resolve()) =>
    inTurn(key, async () => {
      begun.push(name)
      await until
      return name
    })
  const all = [run('a', 'a1', first.promise), run('a', 'a2'), run('a', 'a3')]
  expect(await run('b', 'b1')).toBe('b1')
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve()
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3'])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

it('continues after work that failed', async () => {
  const inTurn = createQueue()
  const failed = inTurn('a', () => Promise.reject(new Error('broken')))
  const next = inTurn('a', async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

it('rejects work that waited too long, without running it or letting the next overtake', async () => {
  const inTurn = createQueue()
  const first = Promise.withResolvers<void>()
  const work = vi.fn(async () => 'done')
  const running = inTurn('a', () => first.promise)
  const late = expect(inTurn('a', work)).rejects.toThrow('too late')
  await vi.advanceTimersByTimeAsync(101)
  await late
  const next = inTurn('a', async () => 'next')
  const isNext = vi.fn()
  void next.then(isNext)
  await vi.advanceTimersByTimeAsync(50)
  expect(isNext).not.toHaveBeenCalled()
  first.resolve()
  await running
  expect(await next).toBe('next')
  expect(work).not.toHaveBeenCalled()
})
