import type { Provider } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { changesOf, hasRequired, outcomeOf, problemsOf, type Values, valuesOf } from './provider-values.ts'

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

describe('what is saved of a provider', () => {
  it.each([
    { name: 'nothing where nothing was touched', from: before, typed: {}, sent: {} },
    { name: 'what was typed', from: before, typed: { hq_city: 'Oslo' }, sent: { hq_city: 'Oslo' } },
    { name: 'what was emptied', from: before, typed: { compliance_certifications: '' }, sent: { compliance_certifications: '' } },
    {
      name: 'no other name or website where they are set',
      from: before,
      typed: { company_name: 'X', website: 'https://x.example' },
      sent: {},
    },
    {
      name: 'name and website where there are none',
      from: empty,
      typed: { company_name: 'X', website: 'https://x.example' },
      sent: { company_name: 'X', website: 'https://x.example' },
    },
  ])('is $name', ({ from, typed, sent }) => {
    expect(changesOf(from, { ...from, ...typed })).toEqual(sent)
  })
})

describe('a change that the registry would refuse', () => {
  it.each([
    { name: 'support address', changes: { support_email: 'nobody' }, problem: { support_email: 'Invalid email address' } },
    { name: 'address of a page', changes: { github_url: 'acme' }, problem: { github_url: expect.any(String) } },
    { name: 'year before 1900', changes: { founded_year: '1850' }, problem: { founded_year: 'Must be at least 1900' } },
    { name: 'year to come', changes: { founded_year: '2999' }, problem: { founded_year: 'Must not be in the future' } },
    { name: 'year that is none', changes: { founded_year: 'long ago' }, problem: { founded_year: 'no year' } },
    { name: 'description', changes: { description: 'x'.repeat(201) }, problem: { description: 'Must have at most 200 characters' } },
  ] satisfies { name: string; changes: Partial<Values>; problem: object }[])('is told at its field: $name', ({ changes, problem }) => {
    expect(problemsOf(changes, 'no year')).toEqual(problem)
  })

  it('is none of these', () => {
    expect(problemsOf({ founded_year: '', github_url: '', support_email: '', compliance_certifications: 'SOC2, ISO27001' }, '')).toEqual({})
  })
})

it.each([
  [{ company_name: 'Acme', website: 'https://acme.example' }, 'a@acme.example', true],
  [{ company_name: ' ', website: 'https://acme.example' }, 'a@acme.example', false],
  [{ company_name: 'Acme', website: '' }, 'a@acme.example', false],
  [{ company_name: 'Acme', website: 'https://acme.example' }, null, false],
] as const)('whoever has name, website and address is registered: %j %s', (values, email, is) => {
  expect(hasRequired(values, email)).toBe(is)
})

it.each([
  { was: true, updated: false, now: true, is: 'plain' },
  { was: false, updated: true, now: true, is: 'confirmed' },
  { was: true, updated: true, now: false, is: 'reset' },
  { was: false, updated: true, now: false, is: 'plain' },
])('a saved website: proven before $was, touched $updated, proven after $now: $is', ({ was, updated, now, is }) => {
  expect(outcomeOf({ domain_verified: was }, { domain_verification_updated: updated, domain_verified: now })).toBe(is)
})
