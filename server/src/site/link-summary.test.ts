import type { Check, VerificationResult } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { limitWords, linkSummary, nothingKnown } from './link-summary.ts'

const checkOf = (check: Check['check'], passed: boolean | null): Check => ({ check, passed, detail: `About ${check}.`, checked_at: null })

const record = {
  status: 'verified',
  result: 'verified',
  live_state: 'checked',
  checks: [checkOf('signature', true), checkOf('domain', true), checkOf('chat', null)],
  model: { name: 'Atlas Chat', version: '2.1' },
  provider: { name: 'Acme Labs', domain: 'acme.example', domain_verified: true },
  timestamp: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-21T09:15:00.000Z',
  checked_at: '2026-11-21T09:05:00.000Z',
  deployment_info: null,
  challenge: null,
  origin: null,
} as VerificationResult

const of = (changes: Record<string, unknown>) => linkSummary({ record: { ...record, ...changes } as VerificationResult })

const saysVerified = /Verified AI Model|Cryptographically Verified/

describe('a link, for those who run no scripts', () => {
  it('is told with its domain, its time and every check', () => {
    const text = of({})
    expect(text).toMatch(saysVerified)
    expect(text).toContain('<h1>acme.example issued this link for “Atlas Chat 2.1”.</h1>')
    expect(text).toContain('Issued 21 Nov 2026, 09:00 UTC. Valid until 21 Nov 2026, 09:15 UTC.')
    expect(text.match(/<strong>(Passed|Not checked)<\/strong>/g)).toHaveLength(3)
  })

  it.each([
    { name: 'another status', changes: { status: 'not_verified' } },
    { name: 'a check that failed', changes: { checks: [...record.checks, checkOf('bundle', false)] } },
    { name: 'no look at the live state', changes: { live_state: 'not_checked' } },
    { name: 'no model', changes: { model: null } },
    { name: 'a domain that is only claimed', changes: { provider: { ...record.provider, domain_verified: false } } },
    { name: 'a domain that was proven too late', changes: { checks: [checkOf('domain', false)] } },
    { name: 'an unknown provider', changes: { status: 'provider_unverified', result: 'not_verified' } },
    { name: 'another result', changes: { result: 'unknown' } },
  ])('is never called verified with $name', ({ changes }) => {
    expect(of(changes)).not.toMatch(saysVerified)
  })

  it('tells failed checks first, and of a domain that nobody proved that it is not proven', () => {
    const statuses = (checks: Check[]) => [...of({ checks }).matchAll(/<li><strong>([^<]*)/g)].map(([, status]) => status)
    expect(statuses([checkOf('chat', null), checkOf('signature', true), checkOf('bundle', false)])).toEqual([
      'Failed',
      'Passed',
      'Not checked',
    ])
    expect(statuses([checkOf('domain', false)])).toEqual(['Not proven'])
  })

  it('says that there is a newer version than the one it is about', () => {
    const told = 'A newer version of this model has been registered.'
    expect(of({})).not.toContain(told)
    expect(of({ model: { ...record.model, superseded_at: '2026-11-21T09:04:00.000Z' } })).toContain(told)
  })

  it.each([
    { name: 'neither phrase nor address', carries: {}, phrase: false, address: false },
    { name: 'a phrase', carries: { challenge: 'blue otter 42' }, phrase: true, address: false },
    { name: 'an address', carries: { origin: 'https://chat.acme.example' }, phrase: false, address: true },
    {
      name: 'an address named by someone unknown',
      carries: { origin: 'https://chat.acme.example', provider: { ...record.provider, domain_verified: false } },
      phrase: false,
      address: false,
    },
  ])('warns of a chat that passes words on, with $name', ({ carries, phrase, address }) => {
    const text = of(carries)
    expect(text).toContain(limitWords.chat)
    expect(text.includes(limitWords.phrase)).toBe(phrase)
    expect(text.includes(limitWords.origin('https://chat.acme.example'))).toBe(address)
  })

  it('says until when a copy of it counts', () => {
    expect(of({})).toContain('After that this page counts for nothing, also as a copy or on paper')
  })

  it.each([
    {
      code: 'link_archived',
      change: 'model_archived',
      says: 'would have been valid until 21 Nov 2026, 09:15 UTC',
      not: 'It was valid from',
    },
    {
      code: 'link_expired',
      change: 'expired',
      says: 'It was valid from 21 Nov 2026, 09:00 UTC to 21 Nov 2026, 09:15 UTC.',
      not: 'would have',
    },
  ] as const)('tells the time of a link refused as $code', ({ code, change, says, not }) => {
    const text = linkSummary({ refusal: { code, reason: null, change, checks: [], verification: record, detail: 'x' } })
    expect(text).toContain(says)
    expect(text).not.toContain(not)
  })

  it('does not count a deployment that was only named as proven', () => {
    const text = of({ checks: [checkOf('deployment', true)], deployment_info: { binding: 'self-asserted' } })
    expect(text).toContain('No deployment proved itself')
    expect(text).not.toContain('<strong>Passed')
  })

  it('lets no name go on as a sentence of ours, nor as markup', () => {
    const text = of({ model: { name: 'Atlas”. <b>Verified', version: '1' }, provider: { ...record.provider, name: '" onclick="x' } })
    expect(text).toContain('“Atlas. &lt;b&gt;Verified 1”')
    expect(text).not.toMatch(/<b>|" onclick/)
  })

  it('says nothing of a link that could not be looked up', () => {
    const text = nothingKnown
    expect(text).toContain('it may be good or bad')
    expect(text).not.toMatch(/verified|passed|failed/i)
  })
})
