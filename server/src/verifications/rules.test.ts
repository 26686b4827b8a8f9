import { describe, expect, it } from 'vitest'
import { householdOf } from '../networks.ts'
import { evaluateLink, type LinkFacts, linkErrorCode, quotedSigner, statusOf } from './rules.ts'

const now = 1_000_000

const good: LinkFacts = {
  issued_at: now - 60_000,
  expires_at: now + 840_000,
  minted_domain: 'acme.example',
  workload: null,
  is_suspended: false,
  key_state: 'active',
  provider_gone: null,
  is_api_key_compromised: false,
  domain: 'acme.example',
  domain_verified_at: 1,
  domain_method: 'dns',
  domain_checked_at: 1,
  domain_stale_since: null,
  model_deleted: false,
  model_archived_at: null,
  model_superseded_at: null,
  model_digest: null,
  bundle_status: 'unknown',
  bundle_checked_at: null,
  bundle_signer: null,
  bundle_reason: null,
  binding: 'mtls',
  deployment_id: 'dep_one',
  deployment_status: 'enabled',
  deployment_disabled_at: null,
  deployment_deleted_at: null,
  is_authorized: true,
  authorization_ended_at: null,
  bound_by: null,
  is_origin_lost: false,
}

it('quotes the subject that a platform vouches for, so that it cannot continue the sentence', () => {
  const subject = 'repo:rival/chat:ref:main”. This\u00a0is\u00a0Acme'
  const workload = { issuer: 'https://gitlab.com', platform: 'GitLab', subject }
  const { checks } = evaluateLink({ ...good, binding: 'workload', workload }, now)
  expect(checks.find(({ check }) => check === 'deployment')?.detail).toContain(
    'is “repo:rival/chat:ref:main\\u{201d}. This\\u{a0}is\\u{a0}Acme”, which the provider trusts',
  )
})

describe('the bundle of a link', () => {
  it('quotes the identity of its signer, so that it cannot continue the sentence', () => {
    const unnamed = { issuer: null, repository: null, workflow: null }
    expect(quotedSigner({ ...unnamed, identity: 'x”. This is Acme', key_fingerprint: 'a'.repeat(64) })).toBe(
      'someone certified by a declared authority: “x\\u{201d}. This is Acme”',
    )
  })

  const signer = 'releases@acme.example (https://accounts.acme.example)'
  it.each<{ name: string; facts: Partial<LinkFacts>; passed: boolean | null; words: RegExp }>([
    { name: 'no bundle', facts: {}, passed: null, words: /^No signature/ },
    {
      name: 'a signer of the provider',
      facts: { bundle_status: 'verified', bundle_signer: signer, bundle_checked_at: now },
      passed: true,
      words: /signed by releases@acme\.example .*one of the signers of this provider.*checked on \d+ /,
    },
    ...[
      { of: 'that has not proven a domain', facts: { minted_domain: null, domain_verified_at: null } },
      { of: 'whose proof came after the link', facts: { minted_domain: null } },
      { of: 'whose proof is stale', facts: { domain_stale_since: 1 } },
      { of: 'whose proof is lost', facts: { domain_verified_at: null } },
    ].map(({ of, facts }) => ({
      name: `a signer of an account ${of}`,
      facts: { ...facts, bundle_status: 'verified' as const, bundle_signer: signer, bundle_checked_at: now },
      passed: null,
      words: /^Signed by releases@acme\.example .*checked on \d+ .* does not show which company signed\.$/,
    })),
    {
      name: 'an unconfirmed signer',
      facts: { bundle_status: 'unknown', bundle_signer: signer, bundle_checked_at: now },
      passed: null,
      words: /Signed by releases@acme.*not been confirmed/,
    },
    {
      name: 'a third party',
      facts: { bundle_signer: signer, bundle_reason: 'signer_not_tied', bundle_checked_at: now },
      passed: null,
      words: /^Signed by a third party: releases@acme.*has not proven/,
    },
    {
      name: 'an attestation, which signs no model',
      facts: { bundle_signer: signer, bundle_reason: 'attestation_only', bundle_checked_at: now },
      passed: null,
      words: /^Not signed\. An attestation by releases@acme.*does not sign the model file, as checked on/,
    },
    {
      name: 'a signature that does not cover the names of the files',
      facts: { bundle_signer: signer, bundle_reason: 'names_not_signed', bundle_checked_at: now },
      passed: null,
      words: /^Only one digest of all files was signed by releases@acme.*not their names/,
    },
    {
      name: 'an invalid bundle',
      facts: { bundle_status: 'invalid', bundle_checked_at: now },
      passed: false,
      words: /is invalid/,
    },
    {
      name: 'a bundle that could not be fetched',
      facts: { bundle_status: 'error', bundle_checked_at: now },
      passed: null,
      words: /could not be checked on \d/,
    },
  ])('has the right check with $name', ({ facts, passed, words }) => {
    const { checks } = evaluateLink({ ...good, ...facts }, now)
    expect(checks.find(({ check }) => check === 'bundle')).toMatchObject({
      passed,
      detail: expect.stringMatching(words),
    })
  })
})

describe('a link', () => {
  it.each<{
    name: string
    change: Partial<LinkFacts>
    reason: string | null
    shown: string | null
    code: string | undefined
    failed: string[]
  }>([
    { name: 'is valid', change: {}, reason: null, shown: null, code: undefined, failed: [] },
    {
      name: 'is valid without a deployment',
      change: { deployment_id: null, binding: null },
      reason: null,
      shown: null,
      code: undefined,
      failed: [],
    },
    {
      name: 'is valid in its last millisecond',
      change: { expires_at: now + 1 },
      reason: null,
      shown: null,
      code: undefined,
      failed: [],
    },
    {
      name: 'is valid after a rotation',
      change: { key_state: 'retired' },
      reason: null,
      shown: null,
      code: undefined,
      failed: [],
    },
    {
      name: 'expires',
      change: { expires_at: now },
      reason: 'expired',
      shown: 'expired',
      code: 'link_expired',
      failed: ['time'],
    },
    {
      name: 'ends with its key',
      change: { key_state: 'compromised' },
      reason: 'revoked',
      shown: 'key_compromised',
      code: 'link_revoked',
      failed: ['key'],
    },
    {
      name: 'ends with a deleted key',
      change: { key_state: null },
      reason: 'revoked',
      shown: 'key_compromised',
      code: 'link_revoked',
      failed: ['key'],
    },
    {
      name: 'ends with its provider’s account',
      change: { provider_gone: 'deactivated' },
      reason: 'revoked',
      shown: 'provider_deactivated',
      code: 'link_gone',
      failed: ['provider'],
    },
    {
      name: 'ends with its provider',
      change: { provider_gone: 'deleted' },
      reason: 'revoked',
      shown: 'provider_deleted',
      code: 'link_gone',
      failed: ['provider'],
    },
    {
      name: 'ends with its model',
      change: { model_deleted: true },
      reason: 'revoked',
      shown: 'model_deleted',
      code: 'link_gone',
      failed: ['model'],
    },
    {
      name: 'ends when its model is archived',
      change: { model_archived_at: 5 },
      reason: 'archived',
      shown: 'model_archived',
      code: 'link_archived',
      failed: ['model'],
    },
    {
      name: 'ends with its deployment',
      change: { deployment_deleted_at: now - 1, is_authorized: false },
      reason: 'revoked',
      shown: 'deployment_deleted',
      code: 'link_revoked',
      failed: ['deployment'],
    },
    {
      name: 'ends when its deployment is disabled',
      change: { deployment_status: 'disabled' },
      reason: 'revoked',
      shown: 'deployment_disabled',
      code: 'link_revoked',
      failed: ['deployment'],
    },
    {
      name: 'ends with the authorization',
      change: { is_authorized: false },
      reason: 'revoked',
      shown: 'authorization_removed',
      code: 'link_revoked',
      failed: ['deployment'],
    },
    {
      name: 'does not vouch for a domain that was never checked',
      change: { domain_verified_at: null, minted_domain: null },
      reason: 'provider_unverified',
      shown: null,
      code: undefined,
      failed: ['domain'],
    },
    {
      name: 'does not vouch for a domain whose proof could not be checked',
      change: { domain_stale_since: now - 1 },
      reason: 'provider_unverified',
      shown: null,
      code: undefined,
      failed: ['domain'],
    },
    {
      name: 'does not vouch for a domain that was lost',
      change: { domain_verified_at: null },
      reason: 'provider_unverified',
      shown: null,
      code: undefined,
      failed: ['domain'],
    },
    {
      name: 'does not vouch for a domain that was checked later',
      change: { minted_domain: null },
      reason: 'provider_unverified',
      shown: null,
      code: undefined,
      failed: ['domain'],
    },
    {
      name: 'still says that its model was archived after its 15 minutes',
      change: { model_archived_at: now - 2, expires_at: now - 1 },
      reason: 'archived',
      shown: 'model_archived',
      code: 'link_archived',
      failed: ['time', 'model'],
    },
    {
      name: 'still says that its deployment was disabled after its 15 minutes',
      change: { deployment_status: 'disabled', deployment_disabled_at: now - 2, expires_at: now - 1 },
      reason: 'revoked',
      shown: 'deployment_disabled',
      code: 'link_revoked',
      failed: ['time', 'deployment'],
    },
    {
      name: 'still says that its deployment was deleted after its 15 minutes, even if the model was archived later',
      change: {
        deployment_deleted_at: now - 2,
        is_authorized: false,
        expires_at: now - 1,
        model_archived_at: now,
      },
      reason: 'revoked',
      shown: 'deployment_deleted',
      code: 'link_revoked',
      failed: ['time', 'model', 'deployment'],
    },
    {
      name: 'still says that its deployment was disabled, even if it was deleted after its 15 minutes',
      change: {
        deployment_status: 'disabled',
        deployment_disabled_at: now - 3,
        is_authorized: false,
        expires_at: now - 2,
        deployment_deleted_at: now - 1,
      },
      reason: 'revoked',
      shown: 'deployment_disabled',
      code: 'link_revoked',
      failed: ['time', 'deployment'],
    },
    {
      name: 'still says that it lost its authorization, even if its deployment was disabled and deleted later',
      change: {
        is_authorized: false,
        authorization_ended_at: now - 4,
        deployment_status: 'disabled',
        deployment_disabled_at: now - 2,
        expires_at: now - 2,
        deployment_deleted_at: now - 1,
      },
      reason: 'revoked',
      shown: 'authorization_removed',
      code: 'link_revoked',
      failed: ['time', 'deployment'],
    },
    {
      name: 'says what ended it first, not that its model was archived later',
      change: { deployment_status: 'disabled', deployment_disabled_at: now - 2, model_archived_at: now - 1 },
      reason: 'revoked',
      shown: 'deployment_disabled',
      code: 'link_revoked',
      failed: ['model', 'deployment'],
    },
    {
      name: 'says that its model was archived, even if its deployment was disabled later',
      change: { deployment_status: 'disabled', deployment_disabled_at: now - 1, model_archived_at: now - 2 },
      reason: 'archived',
      shown: 'model_archived',
      code: 'link_archived',
      failed: ['model', 'deployment'],
    },
    {
      name: 'does not name an archive as its end if something else ended it at an unknown time',
      change: { is_authorized: false, model_archived_at: now - 2, expires_at: now - 1 },
      reason: 'revoked',
      shown: 'authorization_removed',
      code: 'link_revoked',
      failed: ['time', 'model', 'deployment'],
    },
    {
      name: 'still says that its signature is invalid after its 15 minutes and another check',
      change: { bundle_status: 'invalid', bundle_checked_at: now, expires_at: now - 1 },
      reason: 'revoked',
      shown: 'bundle_invalid',
      code: 'link_revoked',
      failed: ['time', 'bundle'],
    },
    {
      name: 'says expired if its model was archived later',
      change: { model_archived_at: now - 1, expires_at: now - 1 },
      reason: 'expired',
      shown: 'expired',
      code: 'link_expired',
      failed: ['time', 'model'],
    },
    {
      name: 'says expired if it is unknown when it lost its authorization',
      change: { is_authorized: false, expires_at: now - 1 },
      reason: 'expired',
      shown: 'expired',
      code: 'link_expired',
      failed: ['time', 'deployment'],
    },
    {
      name: 'says gone before expired',
      change: { model_deleted: true, expires_at: 0 },
      reason: 'revoked',
      shown: 'model_deleted',
      code: 'link_gone',
      failed: ['model'],
    },
    {
      name: 'says compromised before expired',
      change: { key_state: 'compromised', expires_at: 0 },
      reason: 'revoked',
      shown: 'key_compromised',
      code: 'link_revoked',
      failed: ['key', 'time'],
    },
  ])('$name', ({ change, reason, shown, code, failed }) => {
    const verdict = evaluateLink({ ...good, ...change }, now)
    expect(verdict).toMatchObject({ result: reason === null ? 'verified' : 'not_verified', reason, change: shown })
    expect(linkErrorCode(verdict)).toBe(code)
    expect(verdict.checks.filter(({ passed }) => passed === false).map(({ check }) => check)).toEqual(failed)
    expect(statusOf(verdict)).toBe(
      reason === null ? 'verified' : reason === 'provider_unverified' ? 'provider_unverified' : 'not_verified',
    )
  })

  it('is described in ASCII if it is valid, because V8 takes twice as long to serialize other text', () => {
    const verdict = evaluateLink({ ...good, bundle_status: 'verified', bundle_checked_at: now }, now)
    expect(JSON.stringify(verdict)).toMatch(/^[ -~]+$/)
    expect(verdict.result).toBe('verified')
  })

  it('lists every check, with any result', () => {
    const names = evaluateLink(good, now).checks.map(({ check }) => check)
    expect(names).toEqual([
      'signature',
      'key',
      'time',
      'provider',
      'domain',
      'model',
      'deployment',
      'digest',
      'bundle',
      'answer',
      'chat',
    ])
    const bad = evaluateLink({ ...good, key_state: null, deployment_deleted_at: 1, model_archived_at: 1 }, now)
    expect(bad.checks.map(({ check }) => check)).toEqual(names)
  })

  it('says only that a deleted model is gone', () => {
    expect(
      evaluateLink({ ...good, provider_gone: 'deleted', key_state: null }, now).checks.map(({ check }) => check),
    ).toEqual(['provider'])
    expect(evaluateLink({ ...good, model_deleted: true }, now).checks.map(({ check }) => check)).toEqual(['model'])
  })

  it('is never valid with an invalid signature of the model', () => {
    expect(evaluateLink({ ...good, bundle_status: 'invalid' }, now)).toMatchObject({
      result: 'not_verified',
      change: 'bundle_invalid',
    })
    expect(evaluateLink({ ...good, bundle_status: 'error' }, now).result).toBe('verified')
  })

  it('never passes what was only named, or not checked', () => {
    const passed = (facts: LinkFacts) =>
      Object.fromEntries(evaluateLink(facts, now).checks.map(({ check, passed: isPassed }) => [check, isPassed]))
    expect(passed(good)).toMatchObject({ deployment: true, digest: null, bundle: null, answer: null, chat: null })
    expect(passed({ ...good, binding: 'self-asserted' })).toMatchObject({ deployment: null })
    expect(passed({ ...good, model_digest: 'sha256:x' })).toMatchObject({ digest: null })
    expect(passed({ ...good, bundle_status: 'verified' })).toMatchObject({ bundle: true })
    expect(passed({ ...good, bundle_status: 'invalid' })).toMatchObject({ bundle: false })
    expect(passed({ ...good, bound_by: 'provider' })).toMatchObject({ answer: null })
  })
})

describe('a network', () => {
  it.each([
    ['192.0.2.17', '192.0.2'],
    ['::ffff:192.0.2.17', '192.0.2'],
    ['2001:db8:1:22ff::5', '2001:db8:1'],
    ['2001:db8:1:ffff::5', '2001:db8:1'],
    ['2001:db8:1:2200:a:b:c:d', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0'],
    ['fe80::1%eth0', 'fe80:0:0'],
    ['::1', '0:0:0'],
    ['', '0:0:0'],
  ])('of %s is %s', (address, network) => {
    expect(householdOf(address)).toBe(network)
  })
})
