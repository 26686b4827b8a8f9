import { describe, expect, it } from 'vitest'
import { domainOfWebsite, domainProofOf, isReservedName, judgeTxt, verificationLevelOf } from './rules.ts'

const domainOf = (website: string) => {
  const found = domainOfWebsite(website)
  return 'domain' in found ? found.domain : found.refusal.code
}

describe('the domain of a website', () => {
  it.each([
    ['https://acme.com', 'acme.com'],
    ['https://www.acme.co.uk/about', 'acme.co.uk'],
    ['https://a.b.acme.example:8443', 'acme.example'],
    ['https://ACME.test.', 'acme.test'],
    ['https://acme.github.io', 'acme.github.io'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://github.io', 'validation_failed'],
    ['https://co.uk', 'validation_failed'],
    ['https://www.gmail.com', 'validation_failed'],
    ['https://127.0.0.1', 'validation_failed'],
    ['https://[::1]', 'validation_failed'],
    ['https://localhost', 'validation_failed'],
    ['https://acme.local', 'validation_failed'],
    ['https://example', 'validation_failed'],
    ['nonsense', 'validation_failed'],
  ])('%s is %s', (website, domain) => {
    expect(domainOf(website)).toBe(domain)
  })
})

describe('a proof by DNS', () => {
  const proof = domainProofOf({ id: 'prv_one', domain: 'acme.example', nonce: 'nonce' })

  it('is another one for each provider, domain and nonce', () => {
    const others = [{ id: 'prv_two' }, { domain: 'other.example' }, { nonce: 'other' }].map((change) =>
      domainProofOf({ id: 'prv_one', domain: 'acme.example', nonce: 'nonce', ...change }),
    )
    expect(new Set([proof, ...others].map(({ record_value }) => record_value)).size).toBe(4)
  })

  it.each([
    { name: 'alone', records: [proof.record_value], verdict: 'verified' },
    { name: 'among others', records: ['v=spf1', 'countersign=x', proof.record_value], verdict: 'verified' },
    { name: 'with spaces around', records: [` ${proof.record_value} `], verdict: 'verified' },
    { name: 'of someone else', records: ['countersign=x'], verdict: 'record_differs' },
    { name: 'cut off', records: [proof.record_value.slice(0, -1)], verdict: 'record_differs' },
    { name: 'inside other words', records: [`x ${proof.record_value}`], verdict: 'record_not_found' },
    { name: 'missing', records: [], verdict: 'record_not_found' },
    { name: 'unrelated', records: ['v=spf1'], verdict: 'record_not_found' },
  ])('$name is $verdict', ({ records, verdict }) => {
    expect(judgeTxt(records, proof)).toBe(verdict)
  })
})

it.each([
  ['acme.example', true],
  ['acme.test', true],
  ['example.com', false],
  ['test.org', false],
])('%s is reserved: %s', (domain, isReserved) => {
  expect(isReservedName(domain)).toBe(isReserved)
})

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
