import { expect, it } from 'vitest'
import { verificationLevelOf } from './rules.ts'

const registered = {
  company_name: 'Acme',
  email: 'a@acme.example',
  website: 'https://acme.example',
  email_verified_at: null,
  domain_verified_at: null,
}

it.each([
  { name: 'nothing proven', change: {}, level: 'unverified' },
  { name: 'a name missing', change: { company_name: null, domain_verified_at: 1 }, level: 'unregistered' },
  { name: 'the mailbox proven', change: { email_verified_at: 1 }, level: 'partially_verified' },
  { name: 'the domain proven', change: { domain_verified_at: 1 }, level: 'verified' },
])('with $name the level is $level', ({ change, level }) => {
  expect(verificationLevelOf({ ...registered, ...change })).toBe(level)
})
