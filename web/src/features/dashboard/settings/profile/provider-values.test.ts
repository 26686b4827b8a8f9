import type { Provider } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { changesOf, hasRequired, outcomeOf, problemsOf, type Values } from './provider-values.ts'
import { valuesOf } from './typed-values.ts'

const provider = {
  company_name: 'Acme Labs',
  website: 'https://acme.example',
  is_listed: false,
  founded_year: 2019,
  employee_count: '11-50',
  compliance_certifications: ['SOC2', 'ISO27001'],
  ai_specific_certifications: [] as string[],
} as Provider
const before = valuesOf(provider)
const empty = { ...before, company_name: '', website: '' }

describe('the saved fields of a provider', () => {
  it.each([
    { name: 'nothing if nothing was changed', from: before, typed: {}, sent: {} },
    { name: 'the changed field', from: before, typed: { hq_city: 'Oslo' }, sent: { hq_city: 'Oslo' } },
    {
      name: 'the cleared field',
      from: before,
      typed: { compliance_certifications: '' },
      sent: { compliance_certifications: '' },
    },
    {
      name: 'no name or website if they are set',
      from: before,
      typed: { company_name: 'X', website: 'https://x.example' },
      sent: {},
    },
    {
      name: 'name and website if they are missing',
      from: empty,
      typed: { company_name: 'X', website: 'https://x.example' },
      sent: { company_name: 'X', website: 'https://x.example' },
    },
  ])('contain $name', ({ from, typed, sent }) => {
    expect(changesOf(from, { ...from, ...typed })).toEqual(sent)
  })
})

describe('a change that the registry would reject', () => {
  it.each([
    {
      name: 'support address',
      changes: { support_email: 'nobody' },
      problem: { support_email: 'Invalid email address' },
    },
    { name: 'URL of a page', changes: { github_url: 'acme' }, problem: { github_url: expect.any(String) } },
    { name: 'year before 1900', changes: { founded_year: '1850' }, problem: { founded_year: 'Must be at least 1900' } },
    {
      name: 'year in the future',
      changes: { founded_year: '2999' },
      problem: { founded_year: 'Must not be in the future' },
    },
    { name: 'invalid year', changes: { founded_year: 'long ago' }, problem: { founded_year: 'no year' } },
    {
      name: 'description',
      changes: { description: 'x'.repeat(201) },
      problem: { description: 'Must have at most 200 characters' },
    },
  ] satisfies { name: string; changes: Partial<Values>; problem: object }[])(
    'is reported at its field: $name',
    ({ changes, problem }) => {
      expect(problemsOf(changes, 'no year')).toEqual(problem)
    },
  )

  it('is not among these', () => {
    expect(
      problemsOf(
        { founded_year: '', github_url: '', support_email: '', compliance_certifications: 'SOC2, ISO27001' },
        '',
      ),
    ).toEqual({})
  })
})

it.each([
  [{ company_name: 'Acme', website: 'https://acme.example' }, 'a@acme.example', true],
  [{ company_name: ' ', website: 'https://acme.example' }, 'a@acme.example', false],
  [{ company_name: 'Acme', website: '' }, 'a@acme.example', false],
  [{ company_name: 'Acme', website: 'https://acme.example' }, null, false],
] as const)('is registered with name, website and email address: %j %s', (values, email, is) => {
  expect(hasRequired(values, email)).toBe(is)
})

it.each([
  { was: true, updated: false, now: true, is: 'plain' },
  { was: false, updated: true, now: true, is: 'confirmed' },
  { was: true, updated: true, now: false, is: 'reset' },
  { was: false, updated: true, now: false, is: 'plain' },
])(
  'reports what saving the website did: proven before $was, changed $updated, proven after $now: $is',
  ({ was, updated, now, is }) => {
    expect(outcomeOf({ domain_verified: was }, { domain_verification_updated: updated, domain_verified: now })).toBe(is)
  },
)
