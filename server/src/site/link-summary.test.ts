import type { Check, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { vectors } from '@countersign/sdk/testing'
import { linkTones, linkWords } from '@countersign/sdk/words'
import { describe, expect, it } from 'vitest'
import { type LinkAnswer, type LinkRefusal, linkSummary, nothingKnown } from './link-summary.ts'

const issuer = 'https://registry.example'
const checkOf = (check: Check['check'], passed: boolean | null): Check => ({
  check,
  passed,
  detail: `About ${check}.`,
  checked_at: null,
})
const passing = (['signature', 'key', 'time', 'domain', 'provider', 'model'] as const).map((check) =>
  checkOf(check, true),
)

const record = {
  issuer,
  status: 'verified',
  result: 'verified',
  strength: 'provider',
  reason: null,
  change: null,
  live_state: 'checked',
  verification_id: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  link_code: 'W904-2CKW-GDNC-X7S1',
  checks: [...passing, checkOf('chat', null)],
  model: {
    id: 'mdl_1',
    name: 'Atlas Chat',
    version: '2.1',
    api_model_identifier: 'atlas',
    bundle_status: 'unknown',
    model_digest: null,
  },
  provider: {
    id: 'prv_1',
    name: 'Acme Labs',
    domain: 'acme.example',
    domain_verified: true,
    domain_status: 'proven',
    domain_verification_method: 'dns',
  },
  timestamp: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-21T09:15:00.000Z',
  checked_at: '2026-11-21T09:05:00.000Z',
  deployment_info: null,
  challenge: null,
  origin: null,
} as unknown as VerificationResult

const proven = {
  strength: 'deployment',
  checks: [...record.checks, checkOf('deployment', true)],
  deployment_info: { binding: 'mtls', status: 'enabled', spki_fingerprint: '0'.repeat(64) },
}
const unknown = {
  status: 'provider_unverified',
  result: 'not_verified',
  strength: null,
  reason: 'provider_unverified',
  provider: { ...record.provider, domain_verified: false },
  checks: record.checks.map((check) => (check.check === 'domain' ? { ...check, passed: false } : check)),
}

const of = (changes: Record<string, unknown>) =>
  linkSummary({ record: { ...record, ...changes } as VerificationResult }, issuer)
const refused = (code: LinkErrorCode, over: Partial<LinkRefusal> = {}) =>
  linkSummary(
    { refusal: { code, reason: null, change: null, checks: [], verification: null, detail: 'x', ...over } },
    issuer,
  )
const toneIn = (text: string) => /<div class="outcome" data-tone="(\w+)">/.exec(text)?.[1]
const shapeIn = (text: string) =>
  /<p class="outcome-band"><svg class="outcome-shape" data-shape="(\w+)"/.exec(text)?.[1]
const stepsIn = (text: string) => [...text.matchAll(/data-step-state="(\w+)"/g)].map(([, state]) => state)

const saysVerified = /Verified AI Model|Cryptographically Verified/

describe('a link, for readers without scripts', () => {
  // The page is written at the moment of the answer, and is about one link.
  const { cases } = vectors.verdicts
  const ofNow = cases.filter(
    ({ answer, elapsed_ms, expect: { doubt } }) =>
      elapsed_ms === 0 && typeof answer === 'object' && answer !== null && doubt !== 'other_link',
  )

  it.each(ofNow)('says what readVerdict decides: $name', ({ answer, expect: { outcome } }) => {
    const isRefusal = typeof answer === 'object' && answer !== null && 'code' in answer
    const text = linkSummary(
      (isRefusal ? { refusal: answer } : { record: answer }) as LinkAnswer,
      vectors.verdicts.issuer,
    )
    expect(saysVerified.test(text)).toBe(outcome === 'verified')
    expect(text.includes(linkWords.bands.provider_only)).toBe(outcome === 'provider_only')
    expect(toneIn(text)).toBe(linkTones[outcome])
    expect(text).not.toMatch(/undefined|\[object/)
  })

  it.each([
    { name: 'server proven', text: of(proven), tone: 'ok', shape: 'proven', steps: ['proven', 'proven', 'missing'] },
    {
      name: 'only the company proven',
      text: of({}),
      tone: 'info',
      shape: 'stated',
      steps: ['proven', 'missing', 'missing'],
    },
    {
      name: 'an unknown provider',
      text: of(unknown),
      tone: 'warn',
      shape: 'missing',
      steps: ['missing', 'missing', 'missing'],
    },
    { name: 'expired', text: refused('link_expired', { reason: 'expired' }), tone: 'bad', shape: 'failed', steps: [] },
    {
      name: 'mistyped',
      text: refused('link_mistyped', { reason: 'mistyped' }),
      tone: 'warn',
      shape: 'notice',
      steps: [],
    },
    { name: 'not looked up', text: nothingKnown, tone: 'unk', shape: 'missing', steps: [] },
  ])('has the colour and the shapes of its outcome: $name', ({ text, tone, shape, steps }) => {
    expect({ tone: toneIn(text), shape: shapeIn(text), steps: stepsIn(text) }).toEqual({ tone, shape, steps })
    expect(saysVerified.test(text)).toBe(tone === 'ok')
  })

  it('shows its domain, its times and its checks', () => {
    const text = of(proven)
    expect(text).toContain(
      '<h1 class="outcome-who"><bdi>acme.example</bdi> <bdi class="outcome-which">“Atlas Chat 2.1”</bdi></h1>',
    )
    expect(text).toContain(
      'Requested by acme.example at 09:00 UTC. Valid until 09:15 UTC. The company calls itself “Acme Labs”.',
    )
    expect(text).toContain('5 checks passed, 1 not checked. <a class="link" href="#checks">Details</a>')
    expect(text).toContain('<details id="checks">\n<summary>What was checked</summary>')
  })

  it.each([
    { name: 'another status', changes: { status: 'not_verified' } },
    { name: 'a check that failed', changes: { checks: [...record.checks, checkOf('bundle', false)] } },
    { name: 'no live check', changes: { live_state: 'not_checked' } },
    { name: 'no model', changes: { model: null } },
    { name: 'a domain that is only claimed', changes: { provider: { ...record.provider, domain_verified: false } } },
    { name: 'an unknown provider', changes: unknown },
    { name: 'another result', changes: { result: 'unknown' } },
    { name: 'another registry', changes: { issuer: 'https://other.example' } },
    { name: 'a server that proved nothing', changes: { ...proven, deployment_info: null } },
  ])('is never called verified with $name', ({ changes }) => {
    expect(of({ ...proven, ...changes })).not.toMatch(saysVerified)
  })

  it('says first which check failed', () => {
    const text = of({ checks: [...record.checks, checkOf('bundle', false)] })
    expect(text).toContain('Do not rely on this link')
    expect(text.indexOf('About bundle.')).toBeLessThan(text.indexOf('What was checked'))
    expect(stepsIn(text)).toEqual([])
  })

  it('shows the phrase and the address to compare, the latter only for a known company', () => {
    const carries = { challenge: 'blue otter 42', origin: 'https://chat.acme.example' }
    expect(of(carries)).toContain('<strong>“blue otter 42”</strong>')
    expect(of(carries)).toContain('Trust this only if you are chatting at https://chat.acme.example')
    expect(of({ ...unknown, ...carries })).not.toContain('chat.acme.example')
  })

  it('says that there is a newer version', () => {
    const shown = linkWords.about.superseded
    expect(of({})).not.toContain(shown)
    expect(of({ model: { ...record.model, superseded_at: '2026-11-21T09:04:00.000Z' } })).toContain(shown)
  })

  it('calls no link valid because a newer version exists, even if its company is unknown', () => {
    const text = of({ ...unknown, model: { ...record.model, superseded_at: '2026-11-21T09:04:00.000Z' } })
    expect(text).toContain('A newer version of this model exists.')
    expect(text).not.toContain('link is valid')
  })

  it('says of the phrase only that it came with the request, not who gave it to the AI', () => {
    const text = of({ challenge: 'blue otter 42' })
    expect(text).toContain('The phrase above was sent with the request for this link.')
    expect(text).not.toMatch(/person who asked|gave the AI/)
  })

  it('says until when a copy is valid', () => {
    expect(of({})).toContain('A copy of this page proves nothing after 21 Nov 2026, 09:15 UTC.')
  })

  it.each([
    {
      code: 'link_archived',
      reason: 'archived',
      change: 'model_archived',
      says: 'Made at 21 Nov 2026, 09:00 UTC, cancelled at 21 Nov 2026, 09:04 UTC.',
    },
    {
      code: 'link_revoked',
      reason: 'revoked',
      change: 'deployment_disabled',
      says: 'The company cancelled the permission of the server',
    },
    {
      code: 'link_expired',
      reason: 'expired',
      change: 'expired',
      says: 'Made at 21 Nov 2026, 09:00 UTC. Its 15 minutes ended at 21 Nov 2026, 09:15 UTC.',
    },
  ] as const)('describes a link rejected as $code', ({ code, reason, change, says }) => {
    const model = { ...record.model, archived_at: reason === 'archived' ? '2026-11-21T09:04:00.000Z' : null }
    const verification = { ...record, model } as VerificationResult
    const text = refused(code, { reason: reason as Reason, change, verification })
    expect(text).toContain(says)
    expect(text).toContain('It was requested by acme.example for “Atlas Chat 2.1”.')
  })

  it.each([
    { name: 'of the company', verification: record, says: 'with an access key of acme.example for “Atlas Chat 2.1”.' },
    {
      name: 'of an unknown company',
      verification: { ...record, ...unknown } as VerificationResult,
      says: 'for a model called “Atlas Chat 2.1”, with an access key of a company that was not confirmed.',
    },
  ])('says that a leaked key $name requested the link, not that the company did', ({ verification, says }) => {
    const text = refused('link_revoked', { reason: 'revoked', change: 'api_key_compromised', verification })
    expect(text).toContain('Someone else may have made this link.')
    expect(text).toContain(says)
    expect(text).not.toMatch(/requested by|, by a company/)
  })

  it.each(['deployment_disabled', 'api_key_compromised', 'bundle_invalid'] as const)(
    'says only when it was made, not that a later archive cancelled it, if it ended by %s',
    (change) => {
      const model = { ...record.model, archived_at: '2026-11-28T09:04:00.000Z' }
      const verification = { ...record, model } as VerificationResult
      const text = refused('link_revoked', { reason: 'revoked', change, verification })
      expect(text).toContain('Made at 21 Nov 2026, 09:00 UTC.')
      expect(text).not.toMatch(/cancelled at|28 Nov/)
    },
  )

  it('says only when it was made if the signature of its archived model is invalid, because since when is unknown', () => {
    const model = { ...record.model, archived_at: '2026-11-21T09:04:00.000Z', bundle_status: 'invalid' }
    const verification = { ...record, model } as VerificationResult
    const text = refused('link_archived', { reason: 'archived', change: 'model_archived', verification })
    expect(text).toContain('Made at 21 Nov 2026, 09:00 UTC.')
    expect(text).not.toContain('cancelled at')
  })

  it('keeps names from continuing the page’s own sentences, and from acting as markup', () => {
    const text = of({
      model: { ...record.model, name: 'Atlas”. <b>Verified' },
      provider: { ...record.provider, name: '" onclick="x' },
    })
    expect(text).toContain('“Atlas. &lt;b&gt;Verified 2.1”')
    expect(text).not.toMatch(/<b>|" onclick/)
  })

  it('says nothing about a link that could not be looked up', () => {
    expect(nothingKnown).toContain('it may be good or bad')
    expect(nothingKnown).not.toMatch(/verified|passed|failed/i)
  })
})
