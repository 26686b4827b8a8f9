import type { Model } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { type Choice, chooseRows, countViews, type ModelView } from './model-rows.ts'
import { groupModels, needsAttention, statusOf } from './own-model-groups.ts'

const at = '2026-01-01T00:00:00Z'

const modelOf = (given: Partial<Model>): Model =>
  ({
    id: `mdl_${given.api_model_identifier}_${given.version_number ?? 1}`,
    display_name: 'Atlas Chat',
    model_name: 'atlas-chat-large',
    api_model_identifier: 'atlas',
    version: `${given.version_number ?? 1}.0`,
    version_number: 1,
    created_at: at,
    archived_at: null,
    superseded_at: null,
    is_active: true,
    is_latest: true,
    is_public: true,
    health_check_enabled: false,
    health_status: 'unknown',
    bundle_status: 'unknown',
    ...given,
  }) as Model

const old = { superseded_at: at, is_latest: false, is_active: false }
const withdrawn = { archived_at: at, is_active: false }

const models = [
  modelOf({ version_number: 1, ...old, ...withdrawn }),
  modelOf({ version_number: 3, created_at: '2026-03-01T00:00:00Z' }),
  modelOf({ version_number: 2, ...old }),
  modelOf({
    api_model_identifier: 'brook',
    display_name: 'brook 10',
    created_at: '2026-04-01T00:00:00Z',
    is_public: false,
  }),
  modelOf({
    api_model_identifier: 'cedar',
    display_name: 'Brook 9',
    created_at: '2026-02-01T00:00:00Z',
    bundle_status: 'invalid',
  }),
  modelOf({ api_model_identifier: 'dune', display_name: 'Dune', created_at: '2026-05-01T00:00:00Z', ...withdrawn }),
]
const groups = groupModels(models)
const all: Choice = {
  text: '',
  view: 'all',
  withArchived: false,
  visibility: 'all',
  sort: { column: 'created', isDescending: true },
  opened: new Set(),
}
const by = (column: string, isDescending = false) => ({ column, isDescending })

describe('the state of a version', () => {
  it.each([
    { name: 'the latest', given: {}, status: 'active' },
    { name: 'a superseded version', given: old, status: 'superseded' },
    { name: 'a superseded version that was archived', given: { ...old, ...withdrawn }, status: 'archived' },
    { name: 'an archived version', given: withdrawn, status: 'archived' },
    { name: 'an inactive version', given: { is_active: false }, status: 'inactive' },
  ])('of $name is $status', ({ given, status }) => {
    expect(statusOf(modelOf(given))).toBe(status)
  })
})

describe('what needs attention', () => {
  it.each([
    {
      name: 'an endpoint that does not respond',
      given: { health_check_enabled: true, health_status: 'unhealthy' },
      needs: true,
    },
    { name: 'an endpoint that is no longer monitored', given: { health_status: 'unhealthy' }, needs: false },
    { name: 'a bundle that is not valid', given: { bundle_status: 'invalid' }, needs: true },
    { name: 'a bundle that could not be checked', given: { bundle_status: 'error' }, needs: true },
    { name: 'a bundle of an archived version', given: { ...withdrawn, bundle_status: 'invalid' }, needs: false },
    { name: 'no bundle', given: {}, needs: false },
  ] as { name: string; given: Partial<Model>; needs: boolean }[])('is $needs for $name', ({ given, needs }) => {
    expect(needsAttention(modelOf(given))).toBe(needs)
  })
})

describe('the groups of an owner’s models', () => {
  it('contain the versions of one identifier, newest first', () => {
    expect(
      groups.map(({ identifier, newest, versions }) => [identifier, newest.version_number, versions.length]),
    ).toEqual([
      ['atlas', 3, 3],
      ['brook', 1, 1],
      ['cedar', 1, 1],
      ['dune', 1, 1],
    ])
    expect(groups[0]?.versions.map(({ version_number }) => version_number)).toEqual([3, 2, 1])
  })

  it.each([
    { name: 'all but archived ones, newest first', choice: all, found: ['brook', 'atlas', 'cedar'] },
    {
      name: 'archived ones on request',
      choice: { ...all, withArchived: true },
      found: ['dune', 'brook', 'atlas', 'cedar'],
    },
    {
      name: 'by name, ignoring case, numbers as numbers',
      choice: { ...all, sort: by('name') },
      found: ['atlas', 'cedar', 'brook'],
    },
    { name: 'oldest first', choice: { ...all, sort: by('created') }, found: ['cedar', 'atlas', 'brook'] },
    {
      name: 'by bundle, of equal ones the newest first',
      choice: { ...all, sort: by('file', true) },
      found: ['cedar', 'brook', 'atlas'],
    },
    { name: 'a part of the name in another case', choice: { ...all, text: ' BROOK ' }, found: ['brook', 'cedar'] },
    { name: 'a superseded version', choice: { ...all, text: '2.0' }, found: ['atlas'] },
    { name: 'no archived version', choice: { ...all, text: 'dune' }, found: [] },
    { name: 'public ones', choice: { ...all, visibility: 'public' }, found: ['atlas', 'cedar'] },
    { name: 'private ones', choice: { ...all, visibility: 'private' }, found: ['brook'] },
  ] as { name: string; choice: Choice; found: string[] }[])('are filtered: $name', ({ choice, found }) => {
    expect(chooseRows(groups, choice).map(({ model }) => model.api_model_identifier)).toEqual(found)
  })

  it('show the other versions of an opened model below it, archived ones only on request', () => {
    const shown = (withArchived: boolean, opened: Choice['opened'] = new Set(['atlas'])) =>
      chooseRows(groups, { ...all, withArchived, opened })
        .filter(({ model }) => model.api_model_identifier === 'atlas')
        .map(({ model, isOlder, versions }) => [model.version_number, isOlder, versions])
    expect(shown(false, new Set())).toEqual([[3, false, 2]])
    expect(shown(false)).toEqual([
      [3, false, 2],
      [2, true, 1],
    ])
    expect(shown(true).map(([number]) => number)).toEqual([3, 2, 1])
  })

  it('are shown as long as a superseded version is left, even if the newest was archived', () => {
    const [row] = chooseRows(groupModels([modelOf({ version_number: 2, ...withdrawn }), modelOf({ ...old })]), all)
    expect(row?.model.version_number).toBe(1)
  })
})

describe('a saved filter', () => {
  const signed = { bundle_verification_details: { reason: 'signer_not_tied' } } as Partial<Model>
  const troubled = groupModels([
    ...models,
    modelOf({ api_model_identifier: 'elm', version_number: 1, ...old, bundle_status: 'invalid' }),
    modelOf({ api_model_identifier: 'elm', version_number: 2, bundle_status: 'error' }),
    modelOf({ api_model_identifier: 'fir', health_check_enabled: true, health_status: 'unhealthy' }),
    modelOf({ api_model_identifier: 'gum', ...signed }),
  ])

  it.each([
    { view: 'attention', found: ['cedar 1', 'elm 1', 'elm 2', 'fir 1'] },
    { view: 'superseded', found: ['atlas 2', 'elm 1'] },
    { view: 'archived', found: ['atlas 1', 'dune 1'] },
    { view: 'invalid', found: ['cedar 1', 'elm 1'] },
    { view: 'failing', found: ['fir 1'] },
    { view: 'untied', found: ['gum 1'] },
  ] as { view: ModelView; found: string[] }[])(
    'lists each version that is $view, and counts the same number',
    ({ view, found }) => {
      const rows = chooseRows(troubled, { ...all, view, sort: by('name') })
      expect(rows.map(({ model }) => `${model.api_model_identifier} ${model.version_number}`).toSorted()).toEqual(found)
      expect(countViews(troubled, false)[view]).toBe(found.length)
    },
  )

  it('counts models, not versions, without a filter', () => {
    expect([countViews(troubled, false).all, countViews(troubled, true).all]).toEqual([6, 7])
  })
})
