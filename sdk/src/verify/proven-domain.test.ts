import { expect, it } from 'vitest'
import { provenDomain } from './proven-domain.ts'

const provider = { domain: 'acme.example', domain_verified: true }
const check = (passed: boolean | null) => [{ check: 'domain', passed } as const]

it.each([
  { name: 'verified then and now', about: { provider, checks: check(true) }, domain: 'acme.example' },
  { name: 'verified only after the link was issued', about: { provider, checks: check(false) }, domain: null },
  { name: 'not checked', about: { provider, checks: check(null) }, domain: null },
  { name: 'that no check mentions', about: { provider, checks: [] }, domain: null },
  {
    name: 'that another check mentions',
    about: { provider, checks: [{ check: 'provider', passed: true } as const] },
    domain: null,
  },
  {
    name: 'no longer verified',
    about: { provider: { ...provider, domain_verified: false }, checks: check(true) },
    domain: null,
  },
  { name: 'that is missing', about: { provider: { ...provider, domain: null }, checks: check(true) }, domain: null },
  { name: 'of a deleted provider', about: { provider: null, checks: check(true) }, domain: null },
])('a domain $name: $domain', ({ about, domain }) => {
  expect(provenDomain(about)).toBe(domain)
})
