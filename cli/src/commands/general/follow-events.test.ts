import type { TrailEvent } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { followEvents } from './follow-events.ts'

const from = new Date('2026-11-20T10:00:00Z')
const eventAt = (id: string, seconds: number) =>
  ({ id, at: new Date(from.getTime() + seconds * 1_000).toISOString() }) as TrailEvent

it('prints each event once, oldest first, even if it is written late, and asks only for recent ones', async () => {
  const trail: TrailEvent[] = [eventAt('a', 1), eventAt('b', 2)]
  const rounds: TrailEvent[][] = [[eventAt('c', 60)], [], [eventAt('d', 61), eventAt('late', 55)]]
  const printed: string[] = []
  const asked: string[] = []
  const following = followEvents(from, {
    list: async (since) => {
      asked.push(since)
      return trail.filter(({ at }) => at >= since).sort((a, b) => (a.at < b.at ? 1 : -1))
    },
    print: ({ id }) => printed.push(id),
    wait: async () => {
      const next = rounds.shift()
      if (next === undefined) throw new Error('interrupted')
      trail.push(...next)
    },
  })
  await expect(following).rejects.toThrow('interrupted')
  expect(printed).toEqual(['a', 'b', 'c', 'late', 'd'])
  expect(asked.at(-1)).toBe('2026-11-20T10:00:50.000Z')
})
