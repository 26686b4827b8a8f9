import { expect, it } from 'vitest'
import { editTagOf } from './edit-tag.ts'

const incident = { id: 'inc_1', status: 'reported', provider_response: null, opened: 1 }

it('changes with editable fields only', () => {
  const tag = editTagOf('incident', incident)
  expect(tag).toMatch(/^"[0-9a-f]{16}"$/)
  expect(editTagOf('incident', { ...incident, opened: 2 })).toBe(tag)
  expect(editTagOf('incident', { ...incident, provider_response: undefined })).toBe(tag)
  for (const change of [{ status: 'investigating' }, { provider_response: 'We look into it' }])
    expect(editTagOf('incident', { ...incident, ...change })).not.toBe(tag)
})
