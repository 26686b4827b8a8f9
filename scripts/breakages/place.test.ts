import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { breakages } from './all.ts'
import { staleOf } from './place.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

it('finds the snippet and the test files of each breakage in the code', () => {
  expect(staleOf(root, breakages)).toEqual([])
})

it('names a snippet and a test file that no longer exist', () => {
  const stale = {
    ...breakages[0],
    find: 'no such snippet',
    tests: ['sdk/src/none.test.ts'],
  } as (typeof breakages)[number]
  expect(staleOf(root, [stale])).toEqual([
    expect.stringMatching(`^${stale.id}: the snippet must occur once`),
    `${stale.id}: there is no test file sdk/src/none.test.ts`,
  ])
})
