import { expect, it } from 'vitest'
import { describeProvider } from './company.ts'

const acme = { id: 'prv_1', company_name: 'Acme Labs', domain: 'acme.example', domain_verified: true }

it.each([
  { name: 'names a proven domain first', provider: acme, shown: 'acme.example (“Acme Labs”)' },
  {
    name: 'names a proven domain without a name',
    provider: { ...acme, company_name: null },
    shown: 'acme.example',
  },
  {
    name: 'quotes the name of a company that has not proven its domain',
    provider: { ...acme, domain_verified: false },
    shown: '“Acme Labs” (domain not verified)',
  },
  {
    name: 'quotes a name that looks like a proven domain with its name',
    provider: { ...acme, company_name: 'acme.example (“Acme Labs”)', domain_verified: false },
    shown: '“acme.example (Acme Labs)” (domain not verified)',
  },
  {
    name: 'names the ID of a company without a name',
    provider: { ...acme, company_name: null, domain: null, domain_verified: false },
    shown: 'prv_1 (domain not verified)',
  },
])('$name', ({ provider, shown }) => {
  expect(describeProvider(provider)).toBe(shown)
})
