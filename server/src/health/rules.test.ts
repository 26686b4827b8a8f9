import { describe, expect, it } from 'vitest'
import { hostOf, inLanes, isAlive, isAliveDespite, nextCheckAt, takeTurns, uptimeOf } from './rules.ts'

describe('an endpoint', () => {
  it.each([
    [200, true],
    [301, true],
    [401, true],
    [404, true],
    [429, true],
    [499, true],
    [500, false],
    [503, false],
    [599, false],
  ])('an answer with status %i is alive: %s', (status, alive) => {
    expect(isAlive(status)).toBe(alive)
  })

  it.each([
    ['too_large', true],
    ['too_many_redirects', true],
    ['timeout', false],
    ['unreachable', false],
    ['refused', false],
  ])('an endpoint that only reports %s is alive: %s', (kind, alive) => {
    expect(isAliveDespite(kind)).toBe(alive)
  })
})

describe('the next check', () => {
  const hour = 3_600
  it.each([
    { name: 'at its interval', intervalSeconds: 300, failures: 0, seconds: 300 },
    { name: 'no later after one failure', intervalSeconds: 300, failures: 1, seconds: 300 },
    { name: 'twice as long after two', intervalSeconds: 300, failures: 2, seconds: 600 },
    { name: 'four times as long after three', intervalSeconds: 300, failures: 3, seconds: 1_200 },
    { name: 'at most an hour later', intervalSeconds: 300, failures: 6, seconds: hour },
    { name: 'always an hour later', intervalSeconds: 60, failures: 100_000, seconds: hour },
    { name: 'no sooner than a long interval', intervalSeconds: 86_400, failures: 9, seconds: 86_400 },
  ])('is $name', ({ intervalSeconds, failures, seconds }) => {
    expect(nextCheckAt({ at: 7, intervalSeconds, failures })).toBe(7 + seconds * 1_000)
  })
})

it.each([
  [1, 10_000],
  [0, 0],
  [2 / 3, 6_666],
  [0.99999, 9_999],
  [0.29, 2_900],
])('uptime for a share of %d is %i hundredths of a percent: 100 % only if it always answered', (share, hundredths) => {
  expect(uptimeOf({ share, hours: 160, days: 7 }, 300)).toBe(hundredths)
})

it.each([
  { name: 'after a single check', hours: 1, days: 1, intervalSeconds: 300, isKnown: false },
  { name: 'after three days', hours: 72, days: 4, intervalSeconds: 300, isKnown: false },
  { name: 'with two days without checks', hours: 120, days: 6, intervalSeconds: 300, isKnown: false },
  { name: 'after six days', hours: 144, days: 6, intervalSeconds: 300, isKnown: true },
  { name: 'with a check a day', hours: 7, days: 7, intervalSeconds: 86_400, isKnown: true },
  {
    name: 'with many checks on the first and the last day',
    hours: 8,
    days: 2,
    intervalSeconds: 86_400,
    isKnown: false,
  },
])('the uptime of seven days $name is known: $isKnown', ({ hours, days, intervalSeconds, isKnown }) => {
  expect(uptimeOf({ share: 1, hours, days }, intervalSeconds)).toBe(isKnown ? 10_000 : null)
})

describe('one host', () => {
  const models = (count: number, host: string) =>
    Array.from({ length: count }, (_, index) => ({ endpoint: `https://${host}/v${index}` }))

  it('probes six models of a host per run and leaves other hosts their turn', () => {
    const requestCounts = new Map<string, number>()
    const first = takeTurns([...models(9, 'busy.example'), ...models(2, 'acme.example')], requestCounts)
    expect(first.now).toHaveLength(8)
    expect(first.later.map(({ endpoint }) => hostOf(endpoint))).toEqual([
      'busy.example',
      'busy.example',
      'busy.example',
    ])
    const second = takeTurns([...models(1, 'busy.example'), ...models(1, 'acme.example')], requestCounts)
    expect(second.now.map(({ endpoint }) => hostOf(endpoint))).toEqual(['acme.example'])
  })

  it('probes two at a time until all are probed', async () => {
    const busy = new Map<string, number>()
    const seen: string[] = []
    let most = 0
    let all = 0
    await inLanes(
      [...models(7, 'a.example'), ...models(5, 'b.example'), ...models(1, 'A.example:8443')],
      { inAll: 6, perHost: 2 },
      async ({ endpoint }) => {
        const host = hostOf(endpoint)
        busy.set(host, (busy.get(host) ?? 0) + 1)
        all = Math.max(
          all,
          [...busy.values()].reduce((sum, count) => sum + count),
        )
        most = Math.max(most, busy.get(host) ?? 0)
        for (let turn = 0; turn < 3; turn++) await Promise.resolve()
        busy.set(host, (busy.get(host) ?? 0) - 1)
        seen.push(endpoint)
      },
    )
    expect({ most, all, seen: new Set(seen).size }).toEqual({ most: 2, all: 4, seen: 13 })
  })

  it('finishes the other probes when one throws, and reports the error', async () => {
    const done: string[] = []
    const work = async ({ endpoint }: { endpoint: string }) => {
      if (hostOf(endpoint) === 'bad.example') throw new Error('no')
      await Promise.resolve()
      done.push(endpoint)
    }
    await expect(
      inLanes([...models(1, 'bad.example'), ...models(4, 'good.example')], { inAll: 3, perHost: 2 }, work),
    ).rejects.toThrow('no')
    expect(done).toHaveLength(4)
  })
})
