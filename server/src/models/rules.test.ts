import { describe, expect, it } from 'vitest'
import {
  canQuickEdit,
  changesOf,
  daysOfWeeks,
  monitoringAfter,
  registrationRefusal,
  type VersionFacts,
  weeksOf,
  withConsequences,
} from './rules.ts'

const hour = 3_600_000
const registered: VersionFacts = {
  id: 'mdl_one',
  display_name: 'Atlas',
  api_model_identifier: 'atlas',
  version: '1.0.0',
  version_number: 1,
  model_digest: null,
  created_at: 0,
  first_minted_at: null,
  is_latest: 1,
  archived_at: null,
}

describe('quick edit', () => {
  it.each([
    { name: 'just registered', model: registered, now: 0, allowed: true },
    { name: 'one second before the hour', model: registered, now: hour - 1_000, allowed: true },
    { name: 'after an hour', model: registered, now: hour, allowed: false },
    { name: 'named by a link', model: { ...registered, first_minted_at: 5 }, now: 10, allowed: false },
    { name: 'superseded', model: { ...registered, is_latest: 0 }, now: 10, allowed: false },
    { name: 'archived', model: { ...registered, archived_at: 5 }, now: 10, allowed: false },
  ])('is $allowed when $name', ({ model, now, allowed }) => {
    expect(canQuickEdit(model, now)).toBe(allowed)
  })
})

describe('a registration', () => {
  const ask = (version: string, force_new_version: boolean) => ({
    api_model_identifier: 'atlas',
    version,
    force_new_version,
  })

  it.each([
    {
      name: 'of a new identifier is done',
      latest: undefined,
      holder: undefined,
      input: ask('1.0.0', false),
      code: undefined,
    },
    {
      name: 'a new identifier is registered',
      latest: registered,
      holder: undefined,
      input: ask('2.0', false),
      code: 'model_exists',
    },
    {
      name: 'a known identifier is rejected',
      latest: registered,
      holder: undefined,
      input: ask('2.0', true),
      code: undefined,
    },
    {
      name: 'a new version is registered',
      latest: registered,
      holder: registered,
      input: ask('1.0.0', true),
      code: 'version_exists',
    },
  ])('$name', ({ latest, holder, input, code }) => {
    expect(registrationRefusal({ latest, holder, input, now: 0 })?.code).toBe(code)
  })

  it('an existing version is rejected', () => {
    const latest = { ...registered, id: 'mdl_two', version: '2.0', version_number: 2 }
    const refusal = registrationRefusal({ latest, holder: registered, input: ask('1.0.0', true), now: 0 })
    expect(refusal?.extensions).toMatchObject({
      existing_model: { id: 'mdl_one', version: '1.0.0', version_number: 1, suggested_version: '3.0' },
    })
  })

  it('names the version in the way and suggests the next', () => {
    const refusal = registrationRefusal({ latest: registered, holder: undefined, input: ask('1.0.0', false), now: 0 })
    expect(refusal?.extensions).toMatchObject({
      error: 'model_exists',
      existing_model: { id: 'mdl_one', version: '1.0.0', suggested_version: '2.0', can_quick_edit: true },
    })
  })
})

describe('an edit', () => {
  it.each([
    { name: 'nothing', before: { a: 1, b: [1] }, after: { a: 1, b: [1] }, changes: undefined },
    {
      name: 'one of two',
      before: { a: 1, b: [1] },
      after: { a: 1, b: [2] },
      changes: { before: { b: [1] }, after: { b: [2] } },
    },
    {
      name: 'the previous null',
      before: { a: null, c: 1 },
      after: { a: 'x' },
      changes: { before: { a: null }, after: { a: 'x' } },
    },
  ])('reports only what differs: $name', ({ before, after, changes }) => {
    expect(changesOf(before, after)).toEqual(changes)
  })

  const row = { display_name: 'Atlas', model_name: 'Atlas', model_digest: 'sha256:1' as string | null }
  const noVerdict = { bundle_status: 'unknown', bundle_last_checked: null, bundle_verification_details: null }
  it.each([
    {
      name: 'another digest resets the verdict',
      edit: { model_digest: 'sha256:2' },
      follows: { digest_source: 'stated', ...noVerdict },
    },
    {
      name: 'a digest may state its source',
      edit: { model_digest: 'sha256:2', digest_source: 'local-bytes' },
      follows: noVerdict,
    },
    {
      name: 'another bundle resets the verdict',
      edit: { sigstore_bundle_url: 'https://b.example' },
      follows: noVerdict,
    },
    { name: 'the same digest changes nothing', edit: { model_digest: 'sha256:1' }, follows: {} },
    {
      name: 'a model name that was derived follows',
      edit: { display_name: 'Atlas 2' },
      follows: { model_name: 'Atlas 2' },
    },
    { name: 'a given model name does not follow', edit: { display_name: 'Atlas 2', model_name: 'atlas' }, follows: {} },
    {
      name: 'a different model name does not follow',
      row: { ...row, model_name: 'atlas' },
      edit: { display_name: 'Atlas 2' },
      follows: {},
    },
    {
      name: 'without a digest no source is shown',
      row: { ...row, model_digest: null },
      edit: { digest_source: 'stated' },
      follows: { digest_source: undefined },
    },
  ])('$name', ({ row: given = row, edit, follows }) => {
    expect(withConsequences(given, edit)).toEqual({ ...edit, ...follows })
  })

  const watched = { endpoint: 'https://a.example', health_check_enabled: true }
  it.each([
    { name: 'continues as before', after: watched, due: undefined },
    { name: 'restarts with another endpoint', after: { ...watched, endpoint: 'https://b.example' }, due: 5 },
    { name: 'ends when it is switched off', after: { ...watched, health_check_enabled: false }, due: null },
  ])('monitoring $name', ({ after, due }) => {
    const monitoring = monitoringAfter(watched, after, 5)
    expect(monitoring?.health_due_at).toBe(due)
    if (monitoring) expect(monitoring).toMatchObject({ health_status: 'unknown', uptime_7d: null })
  })
})

const now = Date.parse('2026-11-23T13:00:00Z')
const today = Math.floor(now / 86_400_000)

describe('weeks of opened links', () => {
  it('are twelve, and the last ends today', () => {
    const weeks = weeksOf([], now)
    expect(weeks).toHaveLength(12)
    expect(weeks[0]).toEqual({ first_day: '2026-09-01', verifications: 0 })
    expect(weeks[11]).toEqual({ first_day: '2026-11-17', verifications: 0 })
    expect(daysOfWeeks(now).at(-1)).toBe(today)
  })

  it('count each day in its own week, and no older ones', () => {
    const openings = [
      { day: today, openings: 5 },
      { day: today - 6, openings: 2 },
      { day: today - 7, openings: 1 },
      { day: today - 83, openings: 3 },
      { day: today - 84, openings: 9 },
    ]
    const counts = weeksOf(openings, now).map(({ verifications }) => verifications)
    expect(counts).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7])
  })
})
