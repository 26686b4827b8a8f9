import { expect, it } from 'vitest'
import { compareClocks } from './registry.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0) + seconds * 1_000)

it.each([
  { name: 'the same', shown: 0, status: 'ok' },
  { name: 'within the request', shown: 2, status: 'ok' },
  { name: 'in whole seconds', shown: -1, status: 'ok' },
  { name: 'a little behind', shown: 20, status: 'warn', detail: '17 seconds behind' },
  { name: 'a little ahead', shown: -21, status: 'warn', detail: '20 seconds ahead' },
  { name: 'far behind', shown: 600, status: 'fail', detail: '597 seconds behind' },
  { name: 'far ahead', shown: -600, status: 'fail', detail: '599 seconds ahead' },
])('reports a clock that is $name as $status', ({ shown, status, detail = 'agree' }) => {
  expect(compareClocks(at(0), at(3), at(shown).toUTCString())).toMatchObject({
    status,
    detail: expect.stringContaining(detail),
  })
})

it('is skipped if the answer has no time', () => {
  expect(compareClocks(at(0), at(3), null)).toMatchObject({ status: 'skipped' })
})
