import { expect, it } from 'vitest'
import { tagOfIncident } from './edit-tag.ts'

const incident = { id: 'inc_1', status: 'reported', provider_response: null, opened: 1 }

it('changes with editable fields only', () => {
  const tag = tagOfIncident(incident)
  expect(tag).toMatch(/^"[0-9a-f]{16}"$/)
  expect(tagOfIncident({ ...incident, opened: 2 })).toBe(tag)
  expect(tagOfIncident({ ...incident, provider_response: undefined })).toBe(tag)
  for (const change of [{ status: 'investigating' }, { provider_response: 'We look into it' }])
    expect(tagOfIncident({ ...incident, ...change })).not.toBe(tag)
})
