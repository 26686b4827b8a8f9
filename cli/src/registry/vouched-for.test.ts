import { createClient } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { renewed } from './vouched-for.ts'

const minute = 60_000

it('connects again shortly before the hour is over, once for all calls, and after a failure', async () => {
  let at = 0
  let begun = 0
  let failure: Error | undefined
  const latest = renewed(
    async () => {
      begun++
      if (failure) throw failure
      return { client: createClient({ baseURL: 'https://registry.example' }), expiresAt: at + 60 * minute }
    },
    () => at,
  )
  const [first, again] = await Promise.all([latest(), latest()])
  at = 54 * minute
  expect([await latest(), again]).toEqual([first, first])
  expect(begun).toBe(1)

  at = 56 * minute
  failure = new Error('The token is no longer accepted')
  await expect(latest()).rejects.toBe(failure)
  failure = undefined
  const [next, same] = await Promise.all([latest(), latest()])
  expect(next).not.toBe(first)
  expect(same).toBe(next)
  expect(begun).toBe(3)
})
