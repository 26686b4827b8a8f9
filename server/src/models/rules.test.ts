import { describe, expect, it } from 'vitest'
import { canQuickEdit, registrationRefusal, type VersionFacts } from './rules.ts'

const hour = 3_600_000
const registered: VersionFacts = {
  id: 'mdl_one',
  display_name: 'Atlas',
  api_model_identifier: 'atlas',
  version: '1.0.0',
  version_number: 1,
  model_digest: null,
  created_at: 0,
  first_verified_at: null,
  archived_at: null,
}

describe('quick edit', () => {
  it.each([
    { name: 'just registered', model: registered, now: 0, allowed: true },
    { name: 'one second before the hour', model: registered, now: hour - 1_000, allowed: true },
    { name: 'after an hour', model: registered, now: hour, allowed: false },
    { name: 'verified once', model: { ...registered, first_verified_at: 5 }, now: 10, allowed: false },
    { name: 'archived', model: { ...registered, archived_at: 5 }, now: 10, allowed: false },
  ])('is $allowed when $name', ({ model, now, allowed }) => {
    expect(canQuickEdit(model, now)).toBe(allowed)
  })
})

describe('a registration', () => {
  const ask = (version: string, force_new_version: boolean) => ({ api_model_identifier: 'atlas', version, force_new_version })

  it.each([
    { name: 'of a new identifier is done', latest: undefined, hasVersion: false, input: ask('1.0.0', false), code: undefined },
    { name: 'of a known identifier is refused', latest: registered, hasVersion: false, input: ask('2.0', false), code: 'model_exists' },
    { name: 'of a new version is done', latest: registered, hasVersion: false, input: ask('2.0', true), code: undefined },
    {
      name: 'of a version that exists is refused',
      latest: registered,
      hasVersion: true,
      input: ask('1.0.0', true),
      code: 'version_exists',
    },
  ])('$name', ({ latest, hasVersion, input, code }) => {
    expect(registrationRefusal({ latest, hasVersion, input, now: 0 })?.code).toBe(code)
  })

  it('names the version in the way and suggests the next', () => {
    const refusal = registrationRefusal({ latest: registered, hasVersion: false, input: ask('1.0.0', false), now: 0 })
    expect(refusal?.extensions).toMatchObject({
      error: 'model_exists',
      existing_model: { id: 'mdl_one', version: '1.0.0', suggested_version: '2.0', can_quick_edit: true },
    })
  })
})
