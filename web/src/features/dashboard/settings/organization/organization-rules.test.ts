import { expect, it } from 'vitest'
import { changesOf, draftOf, endsProof } from './organization-rules.ts'

const acme = { company_name: 'Acme', website: 'https://acme.example', domain: 'acme.example', domain_verified: true }

it.each([
  { website: 'https://acme.example', ends: false },
  { website: 'https://www.acme.example/about', ends: false },
  { website: 'acme.example', ends: false },
  { website: 'https://acme-labs.example', ends: true },
  { website: 'northwind.example', ends: true },
  { website: 'https://notacme.example', ends: true },
  { website: '', ends: false },
])('moving to $website ends the proof of acme.example: $ends', ({ website, ends }) => {
  expect(endsProof(acme, website)).toBe(ends)
  expect(endsProof({ ...acme, domain_verified: false }, website)).toBe(false)
})

it.each([
  { typed: { company: 'Acme', website: 'https://acme.example' }, changes: {} },
  { typed: { company: ' Acme ', website: 'https://acme.example ' }, changes: {} },
  { typed: { company: 'Acme Labs', website: 'https://acme.example' }, changes: { company_name: 'Acme Labs' } },
  { typed: { company: '', website: 'https://b.example' }, changes: { company_name: '', website: 'https://b.example' } },
])('sends $changes for $typed', ({ typed, changes }) => {
  expect(changesOf(acme, typed)).toEqual(changes)
})

it.each([
  { typed: { company: 'Acme', website: 'https://acme.example' }, draft: {} },
  { typed: { company: 'Acme Labs', website: 'https://acme.example' }, draft: { company: 'Acme Labs' } },
  { typed: { company: 'Acme', website: '' }, draft: { website: '' } },
])('keeps $draft for $typed', ({ typed, draft }) => {
  expect(draftOf(acme, typed)).toEqual(draft)
})
