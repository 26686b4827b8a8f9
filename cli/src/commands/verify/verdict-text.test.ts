import { type Change, type Check, changes } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { widthOf } from '../../io/width.ts'
import { plain } from '../../render/output.ts'
import { ofOffline, unknown } from './verdict.ts'
import { describeVerdict } from './verdict-text.ts'

const verified = {
  ...unknown('', false),
  result: 'verified',
  reason: null,
  checks: [{ check: 'domain', passed: true, detail: '', checked_at: null }],
  claims: { exp: 1_795_223_045, model_identifier: 'tiny', version: '1' },
  provider: { id: 'prv_1', domain: 'acme.example', domain_verified: true },
  live_state: 'checked',
} as const

it('shows people the domain before the company, and what is not proven', () => {
  const text = describeVerdict({ ...verified, provider: { ...verified.provider, name: 'Acme AI' } }, plain)
  expect(text.indexOf('acme.example')).toBeLessThan(text.indexOf('Acme AI'))
  expect(text).toContain('does not prove that the chat you see comes from this model')
  const deployed = describeVerdict(
    { ...verified, claims: { ...verified.claims, deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm' } },
    plain,
  )
  expect(deployed).toContain('comes from that deployment')
})

it.each([
  ['mtls', 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm (proven by mutual TLS)'],
  ['self-asserted', 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm (named, not proven)'],
  // A later registry may say more than this version knows.
  ['toString', 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm (not proven)'],
])('says in words how the server was proven: %s', (deployment_binding, shown) => {
  const claims = { ...verified.claims, deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm', deployment_binding }
  expect(describeVerdict({ ...verified, claims }, plain)).toContain(shown)
})

it.each([
  { name: 'not verified now', domain_verified: false, passed: true },
  { name: 'verified only after the link was issued', domain_verified: true, passed: false },
  { name: 'not looked at', domain_verified: true, passed: null },
])('shows no domain as the identity that was $name', ({ domain_verified, passed }) => {
  const provider = { id: 'prv_1', domain: 'acme.example', domain_verified }
  const checks = [{ check: 'domain', passed, detail: '', checked_at: null } as const]
  expect(describeVerdict({ ...verified, checks, provider }, plain)).toContain('not verified (says acme.example)')
})

it('quotes the names that the company chose, and the challenge, so that they cannot pass for our own words', () => {
  const provider = { ...verified.provider, name: "Acme''     domain proven by DNS" }
  const claims = { ...verified.claims, version: '1    (signed by Northwind)', challenge: 'hello” Signed by “Northwind' }
  const text = describeVerdict({ ...verified, provider, claims }, plain)
  expect(text).toMatch(/^company +“Acme domain proven by DNS”$/m)
  expect(text).toMatch(/^model +“tiny 1 \(signed by Northwind\)”$/m)
  expect(text).toMatch(/^challenge +“hello Signed by Northwind”$/m)
})

it('says in words what changed a link', () => {
  const of = (change: Change) =>
    describeVerdict({ ...verified, result: 'not_verified', reason: 'revoked', change }, plain)
  for (const change of changes) expect(of(change)).not.toMatch(/null|_/)
  expect(of('bundle_invalid')).toContain('the signature of the model file is not valid')
})

it('never says verified for a provider that was not checked, even if the caller accepts it', () => {
  const shown = describeVerdict(
    { ...verified, checks: [{ check: 'domain', passed: false, detail: '', checked_at: null }] },
    plain,
  )
  expect(shown).toMatch(/^Genuine; provider not checked \(accepted\)\n/)
  expect(describeVerdict(verified, plain)).toMatch(/^Verified\n/)
})

describe('the contents of a link or token', () => {
  const notVerified = { ...verified, result: 'not_verified', reason: 'expired' } as const
  const fact = /^model +“tiny 1”$/m

  it('appear as plain facts only when verified', () => {
    expect(describeVerdict(verified, plain)).toMatch(fact)
    expect(describeVerdict(notVerified, plain)).not.toMatch(fact)
    expect(describeVerdict(notVerified, plain)).toMatch(/no longer vouches for:\n {2}provider/)
  })

  it('show times in readable form', () => {
    expect(describeVerdict(verified, plain)).toMatch(/^valid until +21 Nov 2026, 01:04 UTC$/m)
  })

  it('have the head of what was proven: the company, or its server as well', () => {
    const claims = { provider_id: 'prv_1', provider_domain: 'acme.example', model_id: 'mdl_1' }
    const textOf = (more: object) =>
      describeVerdict(
        ofOffline({
          result: 'verified',
          checks: [
            ...verified.checks,
            { check: 'deployment', passed: null, detail: 'Live state not checked', checked_at: null },
            { check: 'answer', passed: null, detail: 'An answer is bound', checked_at: null },
          ],
          live_state: 'not_checked',
          claims: { ...claims, ...more },
        } as Parameters<typeof ofOffline>[0]),
        plain,
      )
    expect(textOf({ deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm', deployment_binding: 'mtls' })).toMatch(
      /^Verified\n/,
    )
    for (const unproven of [
      {},
      { deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm', deployment_binding: 'self-asserted' },
    ]) {
      expect(textOf(unproven)).toMatch(/^Company confirmed, AI not confirmed\n/)
      expect(textOf(unproven)).toContain('deployment: No server identified itself')
    }
    expect(textOf({ bound_to_response: true, bound_by: 'bearer' })).toContain('the provider did not bind it')
  })

  it('are marked as of minting only if there was a token', () => {
    const offline = (result: 'not_verified', claims?: object) =>
      describeVerdict(
        ofOffline({ result, reason: 'expired', checks: [], live_state: 'not_checked', ...claims } as Parameters<
          typeof ofOffline
        >[0]),
        plain,
      )
    expect(offline('not_verified')).not.toContain('as of when it was minted')
    expect(offline('not_verified', { claims: { model_identifier: 'tiny' } })).toContain('as of when it was minted')
  })
})

describe('the digest', () => {
  const model_digest = `sha256:${'9f'.repeat(32)}`
  const claims = { ...verified.claims, model_digest }
  const mismatch = { ...verified, claims, result: 'not_verified', reason: 'claim_mismatch' } as const

  it.each([
    { name: 'on a verified link', verdict: { ...verified, claims } },
    { name: 'that was not expected', verdict: mismatch },
    { name: 'offline', verdict: { ...mismatch, offline: true, live_state: 'not_checked' } as const },
  ])('is what the provider states: $name', ({ verdict }) => {
    expect(describeVerdict(verdict, plain)).toMatch(new RegExp(`digest +${model_digest} \\(stated by the provider\\)`))
  })
})

describe('failed checks', () => {
  const failed = (check: Check['check']) => ({ check, passed: false, detail: 'Not that', checked_at: null }) as const
  const refused = { ...verified, result: 'not_verified', reason: 'claim_mismatch' } as const

  it('appear right under the headline, once', () => {
    const shown = describeVerdict({ ...refused, checks: [...verified.checks, failed('expectation')] }, plain)
    expect(shown).toMatch(/^Not verified: it does not match what you expected\n {2}✗ expectation: Not that\n\nWhat/)
    expect(shown.match(/Not that/g)).toHaveLength(1)
    expect(shown).toContain('✓ domain')
  })

  it('show only the answer when the link matches the expectation', () => {
    const shown = describeVerdict({ ...refused, checks: [...verified.checks, failed('answer')] }, plain)
    expect(shown).toMatch(/^Not verified: its provider did not bind this answer to it\n {2}✗ answer/)
    expect(shown).toContain('except the answer:')
  })

  it('have no heading when nothing is known', () => {
    const checks = [failed('signature')]
    const shown = describeVerdict({ ...refused, reason: 'not_found', claims: null, provider: null, checks }, plain)
    expect(shown).toBe('Not verified: no such link was issued here\n  ✗ signature: Not that')
  })
})

it('says that a version is superseded', () => {
  const model = { superseded_at: '2026-11-21T01:04:05.000Z' }
  expect(describeVerdict({ ...verified, model }, plain)).toContain('superseded on 21 Nov 2026, 01:04 UTC')
  expect(describeVerdict(verified, plain)).not.toContain('superseded')
})

it('shows checks that were not done only in verbose mode', () => {
  const checks = [
    { check: 'format', passed: false, detail: 'Mistyped', checked_at: null },
    { check: 'signature', passed: null, detail: 'Not checked', checked_at: null },
    { check: 'chat', passed: null, detail: 'No token can tell', checked_at: null },
  ] as const
  expect(describeVerdict({ ...verified, checks }, plain)).toMatch(/format[\s\S]*chat/)
  expect(describeVerdict({ ...verified, checks }, plain)).not.toContain('signature')
  expect(describeVerdict({ ...verified, checks }, plain, { isVerbose: true })).toContain('signature: Not checked')
})

it('names the registry that checked a foreign link, and how to ask the other, without its address in a command', () => {
  const verdict = { ...unknown('', false), result: 'not_verified', reason: 'foreign_registry' } as const
  const shown = describeVerdict(verdict, plain, {
    registry: 'https://registry.example',
    origin: 'https://a;id;.evil.example',
  })
  expect(shown).toContain('Only https://registry.example was checked.')
  expect(shown).toContain('If you trust https://a;id;.evil.example, name it with --api-url.')
  expect(shown).not.toMatch(/--api-url \S/)
})

it('wraps between words at the terminal width', () => {
  const detail =
    'This answer is a text that someone who held the link attached to it after the model had spoken to someone else'
  const verdict = {
    ...verified,
    checks: [...verified.checks, { check: 'answer', passed: null, detail, checked_at: null }],
  } as const
  const lines = describeVerdict(verdict, plain, { columns: 60 }).split('\n')
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  expect(lines.join(' ').replace(/ +/g, ' ')).toContain(detail)
  expect(describeVerdict(verdict, plain)).toContain(detail)
})

it.each(['verified', 'not_verified'] as const)(
  'begins no row with words of the company if the result is %s',
  (result) => {
    const claims = {
      ...verified.claims,
      model_identifier: 'x'.repeat(60),
      version: `provider Bank of America, proven by DNS`,
    }
    const shown = describeVerdict({ ...verified, result, claims }, plain, { columns: 80 })
    expect(shown).toContain('Bank of America')
    const lines = shown.split('\n')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => /^ {0,2}(provider )?Bank/.test(line))).toEqual([])
  },
)
