import { describe, expect, it } from 'vitest'
import { readVerdict } from './verdict.ts'

const page = 'https://chat.acme.example'

const good = {
  status: 'verified',
  result: 'verified',
  live_state: 'checked',
  provider: { domain: 'acme.example', domain_verified: true },
  checks: [
    { check: 'domain', passed: true },
    { check: 'chat', passed: null },
  ],
  origin: null,
  expires_at: '2026-11-21T09:15:00.000Z',
  checked_at: '2026-11-21T09:05:00.000Z',
}

const spoiled = [
  { name: 'no object', answer: 'verified' },
  { name: 'nothing', answer: null },
  { name: 'another result', answer: { ...good, result: 'unknown' } },
  { name: 'another status', answer: { ...good, status: 'VERIFIED' } },
  { name: 'nobody looked at the live state', answer: { ...good, live_state: 'not_checked' } },
  { name: 'a failed check', answer: { ...good, checks: [...good.checks, { check: 'bundle', passed: false }] } },
  { name: 'no checks', answer: { ...good, checks: undefined } },
  { name: 'a domain that is only claimed', answer: { ...good, provider: { domain: 'acme.example', domain_verified: false } } },
  { name: 'a domain that was not proven when the link was made', answer: { ...good, checks: [{ check: 'domain', passed: null }] } },
  { name: 'no domain', answer: { ...good, provider: { domain: null, domain_verified: true } } },
  { name: 'no provider', answer: { ...good, provider: null } },
  { name: 'a time that is none', answer: { ...good, expires_at: 'soon' } },
  { name: 'a problem of another kind', answer: { code: 'rate_limited', status: 429 } },
  { name: 'could not check', answer: { code: 'could_not_check', result: 'unknown' } },
]

describe('a badge', () => {
  it('verifies what the registry verified without a reservation', () => {
    expect(readVerdict(good, page)).toMatchObject({ state: 'verified', domain: 'acme.example' })
    expect(readVerdict({ ...good, origin: page }, page)).toMatchObject({ state: 'verified' })
  })

  it.each(spoiled)('takes for no answer: $name', ({ answer }) => {
    expect(readVerdict(answer, page)).toEqual({ state: 'could-not-check' })
  })

  it.each([
    { answer: { ...good, origin: 'https://elsewhere.example' }, why: 'elsewhere' },
    { answer: { ...good, status: 'provider_unverified', result: 'not_verified' }, why: 'unproven' },
    { answer: { code: 'link_expired', result: 'not_verified' }, why: 'expired' },
    { answer: { code: 'link_gone', result: 'not_verified' }, why: 'withdrawn' },
    { answer: { code: 'link_of_tomorrow', result: 'not_verified' }, why: 'refused' },
  ])('does not verify what is $why', ({ answer, why }) => {
    expect(readVerdict(answer, page)).toMatchObject({ state: 'not-verified', why })
  })
})
