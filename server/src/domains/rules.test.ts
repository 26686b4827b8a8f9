import { describe, expect, it } from 'vitest'
import {
  agreeOn,
  compareDomains,
  domainOfWebsite,
  domainProofOf,
  evaluateFile,
  evaluateTxt,
  isAllowedByPolicy,
  isAtOrBelow,
  isOriginGranted,
  isReservedName,
  nextLookAt,
  retryAfterMs,
  type TxtAnswer,
} from './rules.ts'

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

  it('differs for each provider, domain and nonce', () => {
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
    expect(evaluateTxt(records, proof)).toBe(verdict)
  })
})

describe('a proof by file', () => {
  const proof = domainProofOf({ id: 'prv_one', domain: 'acme.example', nonce: 'nonce' })
  const { countersign } = proof.file_content

  it.each([
    { name: 'as instructed', text: JSON.stringify(proof.file_content), verdict: 'verified' },
    {
      name: 'with other members and spaces',
      text: ` {"countersign": "${countersign}", "other": 1} `,
      verdict: 'verified',
    },
    { name: 'of the value alone', text: JSON.stringify(countersign), verdict: 'file_differs' },
    { name: 'of the record', text: JSON.stringify({ countersign: proof.record_value }), verdict: 'file_differs' },
    { name: 'of a list with it', text: JSON.stringify({ countersign: [countersign] }), verdict: 'file_differs' },
    { name: 'of null', text: 'null', verdict: 'file_differs' },
    { name: 'that is a page', text: `<html>${countersign}</html>`, verdict: 'file_differs' },
    { name: 'that is empty', text: '', verdict: 'file_differs' },
    { name: 'that is missing', text: null, verdict: 'file_not_found' },
  ])('$name is $verdict', ({ text, verdict }) => {
    expect(evaluateFile(text, proof)).toBe(verdict)
  })
})

describe('an email address beside a website', () => {
  it.each([
    [
      'a@acme.example',
      'https://www.acme.example',
      { match: true, email_domain: 'acme.example', website_domain: 'acme.example' },
    ],
    [
      'a@mail.acme.example',
      'https://acme.example',
      { match: true, email_domain: 'acme.example', website_domain: 'acme.example' },
    ],
    [
      'a@northwind.example',
      'https://acme.example',
      { match: false, email_domain: 'northwind.example', website_domain: 'acme.example' },
    ],
    ['a@gmail.com', 'https://gmail.com', { match: false, email_domain: 'gmail.com', website_domain: null }],
    ['a@localhost', 'nonsense', { match: false, email_domain: null, website_domain: null }],
  ])('compares %s with %s', (email, website, compared) => {
    expect(compareDomains({ email, website })).toEqual(compared)
  })
})

it.each([
  ['acme.example', 'acme.example', true],
  ['chat.acme.example', 'acme.example', true],
  ['notacme.example', 'acme.example', false],
  ['acme.example', 'chat.acme.example', false],
  ['acme.example.northwind.example', 'acme.example', false],
])('decides whether %s is at or below %s: %s', (host, domain, isBelow) => {
  expect(isAtOrBelow(host, domain)).toBe(isBelow)
})

it.each([
  ['countersign-origin=prv_own', true],
  [' countersign-origin=prv_own ', true],
  ['countersign-origin=prv_owner', false],
  ['countersign-origin=prv_ow', false],
  ['countersign-origin=', false],
  ['x countersign-origin=prv_own', false],
])('decides whether the record %j grants an origin to prv_own: %s', (record, isGranted) => {
  expect(isOriginGranted(['v=spf1', record], 'prv_own')).toBe(isGranted)
})

describe('the owner’s policy', () => {
  const own = 'prv_own'
  it.each([
    { name: 'allows everyone if there is none', records: [], isAllowed: true },
    {
      name: 'ignores any other record',
      records: ['v=spf1', 'countersign=x', 'countersign-origin=prv_other'],
      isAllowed: true,
    },
    { name: 'excludes everyone', records: ['countersign-policy=none'], isAllowed: false },
    { name: 'allows the account that it names', records: ['countersign-policy=prv_own'], isAllowed: true },
    { name: 'excludes every other account', records: ['countersign-policy=prv_other'], isAllowed: false },
    {
      name: 'allows each of several',
      records: ['countersign-policy=prv_other', ' countersign-policy=prv_own '],
      isAllowed: true,
    },
    {
      name: 'excludes everyone if one record says so',
      records: ['countersign-policy=prv_own', 'countersign-policy=none'],
      isAllowed: false,
    },
    ...[
      'countersign-policy=',
      'countersign-policy',
      'Countersign-Policy=none',
      'countersign-policy =none',
      'countersign-policy:none',
      'countersign_policy=none',
      'countersign policy=none',
      '"countersign-policy=none"',
      'countersign-policy="prv_own"',
      'v=1; countersign-policy=prv_own',
      '\u00ef\u00bb\u00bfcountersign-policy=none',
      'countersign\u2011policy=none',
      'counter-sign.policies=none',
    ].map((record) => ({
      name: `excludes everyone if it cannot be read: ${record}`,
      records: [record],
      isAllowed: false,
    })),
  ])('$name', ({ records, isAllowed }) => {
    expect(isAllowedByPolicy(records, own)).toBe(isAllowed)
  })
})

describe('several resolvers', () => {
  const says = (...records: string[]): TxtAnswer => ({ isAlias: false, records })
  const judge = (answers: readonly TxtAnswer[]) =>
    agreeOn(
      answers,
      ({ records }) => (records.includes('yes') ? 'good' : records.length > 0 ? 'other' : 'none'),
      (verdict) => verdict === 'good',
    )
  it.each([
    { name: 'agree that the record exists', answers: [says('yes'), says('yes', 'more')], verdict: 'good' },
    { name: 'agree that it does not exist', answers: [says(), says()], verdict: 'none' },
    { name: 'agree that it does not exist, each in its own way', answers: [says('no'), says()], verdict: 'other' },
    { name: 'disagree', answers: [says('yes'), says()], verdict: 'resolvers_disagree' },
    { name: 'disagree the other way round', answers: [says(), says('yes')], verdict: 'resolvers_disagree' },
    { name: 'prove nothing while one does not answer', answers: [says('yes'), undefined], verdict: 'dns_unavailable' },
    { name: 'disprove nothing while one does not answer', answers: [undefined, says()], verdict: 'dns_unavailable' },
    { name: 'prove nothing without resolvers', answers: [], verdict: 'dns_unavailable' },
  ])('$name', ({ answers, verdict }) => {
    expect(judge(answers)).toBe(verdict)
  })
})

it('checks a stale proof again soon, and last when it is lost', () => {
  expect(nextLookAt({ lost_at: 10 * retryAfterMs, at: 0 })).toBe(retryAfterMs)
  expect(nextLookAt({ lost_at: 10 * retryAfterMs, at: 10 * retryAfterMs - 1 })).toBe(10 * retryAfterMs)
})

it.each([
  ['acme.example', true],
  ['acme.test', true],
  ['example.com', false],
  ['test.org', false],
])('%s is reserved: %s', (domain, isReserved) => {
  expect(isReservedName(domain)).toBe(isReserved)
})
