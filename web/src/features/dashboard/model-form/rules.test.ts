import { describe, expect, it } from 'vitest'
import { draftOf, editOf, inputOf, type ModelDraft } from './model-draft.ts'
import { type FormMode, problemsOf } from './rules.ts'

const good: ModelDraft = {
  ...draftOf(),
  display_name: 'Atlas',
  api_model_identifier: 'atlas',
  endpoint: 'https://api.acme.example/v1',
  description: 'A model for chat.',
}
const before = {
  ...good,
  paper_url: 'https://acme.example/paper',
  context_window: '8192',
  mmlu: '80',
  gsm8k: '70',
  language: 'English',
}
const judge = (change: Partial<ModelDraft>, mode: FormMode = 'register') =>
  problemsOf({ ...good, ...change }, { mode, before: mode === 'edit' ? before : good, previousVersion: '1.0.0' })

describe('the problems of a draft', () => {
  it('are empty if all fields are valid', () => expect(judge({})).toEqual({}))

  it.each<{ name: string; change: Partial<ModelDraft>; mode?: FormMode; problems: object }>([
    {
      name: 'a short name',
      change: { display_name: 'A' },
      problems: { display_name: 'Display name must be at least 2 characters' },
    },
    {
      name: 'no identifier',
      change: { api_model_identifier: '' },
      problems: { api_model_identifier: 'API model identifier is required' },
    },
    {
      name: 'an identifier of one letter',
      change: { api_model_identifier: 'a' },
      problems: { api_model_identifier: 'API model identifier must be at least 2 characters' },
    },
    {
      name: 'an identifier with a blank',
      change: { api_model_identifier: 'at las' },
      problems: { api_model_identifier: 'Only letters, numbers, hyphens, and underscores allowed' },
    },
    { name: 'no version', change: { version: ' ' }, problems: { version: 'Version is required' } },
    {
      name: 'a short description',
      change: { description: 'short' },
      problems: { description: 'Description must be at least 10 characters' },
    },
    { name: 'no endpoint', change: { endpoint: '' }, problems: { endpoint: 'Please enter a valid URL' } },
    {
      name: 'a model card that is not a URL',
      change: { model_card_url: 'card' },
      problems: { model_card_url: /valid URL/ },
    },
    {
      name: 'a context window in words',
      change: { context_window: '128k' },
      problems: { context_window: 'Must be a whole number' },
    },
    { name: 'half a token', change: { context_window: '1.5' }, problems: { context_window: 'Must be a whole number' } },
    { name: 'a score above 100', change: { mmlu: '101' }, problems: { mmlu: 'Must be at most 100' } },
    {
      name: 'a score in finer steps than a tenth',
      change: { humaneval: '50.05' },
      problems: { humaneval: 'Must be a multiple of 0.1' },
    },
    { name: 'a score in words', change: { gsm8k: 'good' }, problems: { gsm8k: 'Must be a number' } },
    {
      name: 'a date that does not exist',
      change: { release_date: '2026-02-31' },
      problems: { release_date: 'This date does not exist' },
    },
    { name: 'an invalid digest', change: { model_digest: 'abc' }, problems: { model_digest: /64 hex/ } },
    {
      name: 'a new version with the same number',
      change: { version: '1.0.0' },
      mode: 'version',
      problems: { version: 'Please specify a different version number for the new version' },
    },
    {
      name: 'an edit that empties the description',
      change: { description: '' },
      mode: 'edit',
      problems: { description: /at least 10/ },
    },
  ])('$name', ({ change, mode, problems }) => {
    const expected = Object.fromEntries(
      Object.entries(problems).map(([field, words]) => [
        field,
        words instanceof RegExp ? expect.stringMatching(words) : words,
      ]),
    )
    expect(judge(mode === 'edit' ? { ...before, ...change } : change, mode)).toEqual(expected)
  })

  it('are empty if an edit clears optional fields', () => {
    const digest = { model_digest: 'a'.repeat(64), digest_source: 'stated' }
    const emptied = { paper_url: '', context_window: ' ', mmlu: '', gsm8k: '', model_digest: '', digest_source: '' }
    expect(problemsOf({ ...before, ...emptied }, { mode: 'edit', before: { ...before, ...digest } })).toEqual({})
    expect(editOf({ ...before, ...digest }, { ...before, ...emptied })).toEqual({
      paper_url: '',
      context_window: '',
      performance_benchmarks: {},
      model_digest: '',
    })
  })

  it('accept scores in tenths despite floating point', () =>
    expect(judge({ mmlu: '86.4', humaneval: '0.3' })).toEqual({}))
})

describe('the registration', () => {
  it('leaves out empty fields, and splits lists', () => {
    const input = inputOf({
      ...good,
      capabilities: ['math'],
      other_capabilities: 'juggling,  math, ',
      serving_regions: 'eu, us',
      context_window: '8192',
      mmlu: '80.5',
    })
    expect(input).toEqual({
      display_name: 'Atlas',
      api_model_identifier: 'atlas',
      endpoint: 'https://api.acme.example/v1',
      description: 'A model for chat.',
      version: '1.0.0',
      model_type: 'language',
      is_public: true,
      enable_health_monitoring: false,
      require_deployment_proof: false,
      force_new_version: false,
      copy_authorizations: false,
      capabilities: ['math', 'juggling'],
      serving_regions: ['eu', 'us'],
      context_window: 8192,
      performance_benchmarks: { mmlu: 80.5 },
    })
  })

  it('marks a typed digest as stated', () =>
    expect(inputOf({ ...good, model_digest: 'a'.repeat(64) })).toMatchObject({ digest_source: 'stated' }))

  it('contains only the changes of an edit', () =>
    expect(
      editOf({ ...good, language: 'English' }, { ...good, description: 'Another one for chat.', language: '' }),
    ).toEqual({
      description: 'Another one for chat.',
      language: '',
    }))
})
