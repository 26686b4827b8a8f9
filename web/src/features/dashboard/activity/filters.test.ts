import { expect, it } from 'vitest'
import { type Asked, queryOf } from './filters.ts'

const nothing: Asked = { kind: 'all', action: 'all', id: '', since: '', until: '' }

it.each([
  { name: 'nothing', asked: {}, query: {} },
  { name: 'a kind', asked: { kind: 'key' }, query: { subject_type: 'key' } },
  { name: 'an action', asked: { action: 'key.revoked' }, query: { action: 'key.revoked' } },
  { name: 'one ID', asked: { id: 'mdl_1' }, query: { subject_id: 'mdl_1' } },
  {
    name: 'days, including the last one',
    asked: { since: '2026-11-01', until: '2026-11-30' },
    query: { since: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
  },
  { name: 'invalid days as nothing', asked: { since: 'soon', until: '2026-13-01' }, query: {} },
])('requests $name', ({ asked, query }) => {
  expect(JSON.parse(JSON.stringify(queryOf({ ...nothing, ...asked })))).toEqual(query)
})
