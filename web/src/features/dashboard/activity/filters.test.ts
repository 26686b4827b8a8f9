import { expect, it } from 'vitest'
import { type ActivityFilters, queryOf } from './filters.ts'

const nothing: ActivityFilters = { kind: 'all', action: 'all', id: '', since: '', until: '' }

it.each([
  { name: 'nothing', given: {}, query: {} },
  { name: 'a kind', given: { kind: 'key' }, query: { subject_type: 'key' } },
  { name: 'an action', given: { action: 'key.revoked' }, query: { action: 'key.revoked' } },
  { name: 'one ID', given: { id: 'mdl_1' }, query: { subject_id: 'mdl_1' } },
  {
    name: 'days, including the last one',
    given: { since: '2026-11-01', until: '2026-11-30' },
    query: { since: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
  },
  { name: 'invalid days as nothing', given: { since: 'soon', until: '2026-13-01' }, query: {} },
])('requests $name', ({ given, query }) => {
  expect(JSON.parse(JSON.stringify(queryOf({ ...nothing, ...given })))).toEqual(query)
})
