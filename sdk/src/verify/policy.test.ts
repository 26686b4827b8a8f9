import { describe, expect, it } from 'vitest'
import { bundleStatuses } from '../contract/bundles.ts'
import type { Claims, VerificationResult } from '../contract/verifications.ts'
import { vectors } from '../testing/vectors.ts'
import { type JudgedVerdict, type PolicyConfig, policy } from './policy.ts'

const issuedAt = Date.parse('2026-11-20T10:15:00.000Z')
const now = () => issuedAt + 60_000
const digest = `sha256:${'9f'.repeat(32)}`

const claims: Claims = {
  iss: 'https://registry.example',
  jti: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  iat: issuedAt / 1_000,
  exp: issuedAt / 1_000 + 900,
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5yt0',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5yt1',
  provider_domain: 'acme.example',
  model_identifier: 'tiny',
  version: '1.0.0',
  model_digest: digest,
  deployment_binding: 'mtls',
  bound_to_response: false,
}
const offline = (changes: Partial<Claims> = {}): JudgedVerdict => ({
  result: 'verified',
  live_state: 'not_checked',
  claims: { ...claims, ...changes },
})

const record = vectors.verdicts.cases[0]?.answer as VerificationResult
const checksWith = (name: string, passed: boolean | null, checks = record.checks) =>
  checks.map((check) => (check.check === name ? { ...check, passed } : check))
const verification = {
  ...record,
  model: record.model && { ...record.model, id: claims.model_id, api_model_identifier: 'tiny', model_digest: digest },
  timestamp: new Date(issuedAt).toISOString(),
  checked_at: new Date(issuedAt).toISOString(),
  expires_at: new Date(issuedAt + 900_000).toISOString(),
}
const online = (changes: object = {}): JudgedVerdict => ({
  result: 'verified',
  live_state: 'checked',
  verification: { ...verification, ...changes },
})
const unprovenProvider = {
  status: 'provider_unverified',
  result: 'not_verified',
  strength: null,
  reason: 'provider_unverified',
  checks: checksWith('domain', false, checksWith('bundle', null)),
}
const noDeployment = {
  deployment_id: null,
  deployment_info: null,
  strength: 'provider',
  checks: checksWith('deployment', null),
}

const both = [
  { name: 'offline', verdict: offline() },
  { name: 'online', verdict: online() },
]

describe.each(both)('a verdict $name', ({ verdict }) => {
  const judge = (config: PolicyConfig) => policy({ now, ...config })(verdict)

  it('is allowed if every rule is met', () => {
    const rules: PolicyConfig = {
      issuer: 'https://registry.example',
      providers: ['northwind.example', 'acme.example'],
      models: [claims.model_id],
      digests: [digest],
      deploymentProofs: ['proxy', 'mtls'],
      maxAgeSeconds: 60,
    }
    expect(judge(rules)).toEqual({ allowed: true, violations: [] })
    expect(judge({})).toEqual({ allowed: true, violations: [] })
  })

  it.each([
    {
      name: 'another registry',
      rule: 'issuer',
      config: { issuer: 'https://registry.northwind.example' },
      found: 'https://registry.example',
    },
    {
      name: 'another provider',
      rule: 'providers',
      config: { providers: ['northwind.example'] },
      found: 'acme.example',
    },
    {
      name: 'a domain that contains ours',
      rule: 'providers',
      config: { providers: ['chat.acme.example', 'example'] },
      found: 'acme.example',
    },
    {
      name: 'a pattern',
      rule: 'providers',
      config: { providers: ['*', '.*', '*.example', ''] },
      found: 'acme.example',
    },
    {
      name: 'another spelling',
      rule: 'providers',
      config: { providers: ['ACME.example', 'acme.example.', ' acme.example'] },
      found: 'acme.example',
    },
    { name: 'no provider', rule: 'providers', config: { providers: [] }, found: 'acme.example' },
    {
      name: 'another version',
      rule: 'models',
      config: { models: ['mdl_06dh0e3x7c9bw4vjz2n8qk5yt9'] },
      found: 'acme.example/tiny',
    },
    {
      name: 'a public identifier',
      rule: 'models',
      config: { models: ['tiny', '/tiny', 'northwind.example/tiny'] },
      found: 'acme.example/tiny',
    },
    { name: 'no model', rule: 'models', config: { models: [] }, found: 'acme.example/tiny' },
    { name: 'another digest', rule: 'digests', config: { digests: [`sha256:${'00'.repeat(32)}`] }, found: digest },
    { name: 'no digest', rule: 'digests', config: { digests: [] }, found: digest },
    { name: 'another proof', rule: 'deploymentProofs', config: { deploymentProofs: ['proxy'] }, found: 'mtls' },
    { name: 'no proof', rule: 'deploymentProofs', config: { deploymentProofs: [] }, found: 'mtls' },
    { name: 'a lower age limit', rule: 'maxAgeSeconds', config: { maxAgeSeconds: 59.999 }, found: 60 },
    { name: 'no bundle', rule: 'bundleStatuses', config: { bundleStatuses: [] }, found: expect.anything() },
  ] satisfies { name: string; rule: string; config: PolicyConfig; found: unknown }[])(
    'is rejected if the policy allows $name',
    ({ rule, config, found }) => {
      const { allowed, violations } = judge(config)
      expect(allowed).toBe(false)
      const [expected] = Object.values(config)
      expect(violations).toEqual([
        {
          rule,
          expected,
          found: verdict.result === 'verified' && rule === 'bundleStatuses' ? bundleOf(verdict) : found,
          message: expect.any(String),
        },
      ])
    },
  )

  it('is allowed by a model’s name under a proven domain, for any version', () => {
    expect(judge({ models: ['acme.example/tiny'] }).allowed).toBe(true)
  })

  it.each(['https://registry.example/', 'https://REGISTRY.example:443/api'])(
    'is allowed by any address of its registry: %s',
    (issuer) => {
      expect(judge({ issuer }).allowed).toBe(true)
    },
  )

  it('says in words what is not allowed', () => {
    const { violations } = judge({ issuer: 'https://registry.northwind.example', providers: [], deploymentProofs: [] })
    expect(violations.map(({ message }) => message)).toEqual([
      'The registry https://registry.example is not allowed',
      'The provider acme.example is not allowed',
      'The deployment proof mtls is not allowed',
    ])
  })

  it('names every rule that is not met', () => {
    const { violations } = judge({
      providers: [],
      models: [],
      digests: [],
      deploymentProofs: [],
      bundleStatuses: [],
      maxAgeSeconds: 0,
    })
    expect(violations.map(({ rule }) => rule)).toEqual([
      'providers',
      'models',
      'digests',
      'deploymentProofs',
      'bundleStatuses',
      'maxAgeSeconds',
    ])
  })

  it('does not follow changes to the options of the policy', () => {
    const providers = ['northwind.example']
    const decide = policy({ providers, now })
    providers.push('acme.example')
    expect(decide(verdict).allowed).toBe(false)
  })
})

const bundleOf = (verdict: JudgedVerdict) => ('verification' in verdict ? 'verified' : null)

describe('an unverified provider', () => {
  const unproven = [
    { name: 'offline', verdict: offline({ provider_domain: undefined }) },
    {
      name: 'online',
      verdict: online({
        ...unprovenProvider,
        provider: { ...record.provider, domain_verified: false, domain_status: 'unproven' },
      }),
    },
    {
      name: 'online, its domain verified after minting',
      verdict: online(unprovenProvider),
    },
    {
      name: 'online, without a domain',
      verdict: online({ ...unprovenProvider, provider: { ...record.provider, domain: null, domain_verified: false } }),
    },
  ]

  it.each(unproven)('is rejected by every policy that does not allow it: $name', ({ verdict }) => {
    expect(policy({ now })(verdict).violations).toMatchObject([{ rule: 'allowUnverifiedProvider', found: null }])
    expect(policy({ now, allowUnverifiedProvider: true })(verdict).allowed).toBe(true)
  })

  it.each(unproven)('matches no list of domains, and its models only by ID: $name', ({ verdict }) => {
    const decide = (config: PolicyConfig) => policy({ now, allowUnverifiedProvider: true, ...config })(verdict)
    expect(decide({ providers: ['acme.example', 'null', 'undefined', ''] }).violations).toMatchObject([
      { rule: 'providers', found: null },
    ])
    expect(decide({ models: ['acme.example/tiny', 'null/tiny', 'undefined/tiny', '/tiny'] }).allowed).toBe(false)
    expect(decide({ models: [claims.model_id] }).allowed).toBe(true)
  })

  it.each(unproven)('proves no server, whose key shows only that a company approved it: $name', ({ verdict }) => {
    const decide = policy({ now, allowUnverifiedProvider: true, deploymentProofs: ['mtls', 'proxy', 'signed'] })
    expect(decide(verdict).violations).toMatchObject([{ rule: 'deploymentProofs', found: null }])
  })

  it.each(unproven)('proves no signature by its own signer: $name', ({ verdict }) => {
    const decide = policy({ now, allowUnverifiedProvider: true, bundleStatuses: ['verified', 'unknown'] })
    expect(decide(verdict).violations).toMatchObject([{ rule: 'bundleStatuses', found: null }])
  })

  it.each(unproven)('proves no digest, which it only states: $name', ({ verdict }) => {
    const decide = policy({ now, allowUnverifiedProvider: true, digests: [digest] })
    expect(decide(verdict).violations).toMatchObject([{ rule: 'digests', found: null }])
  })
})

it.each([
  { name: 'at another address', other: 'https://registry.northwind.example' },
  { name: 'over plain http', other: 'http://registry.example' },
  { name: 'at another port', other: 'https://registry.example:8443' },
  { name: 'whose address starts with ours', other: 'https://registry.example.attacker.example' },
])('rejects a verdict from another registry: $name', ({ other }) => {
  const decide = policy({ now, issuer: 'https://registry.example' })
  for (const verdict of [offline({ iss: other }), online({ issuer: other })])
    expect(decide(verdict)).toMatchObject({ allowed: false, violations: [{ rule: 'issuer', found: other }] })
})

describe('an unknown value', () => {
  it.each([
    {
      name: 'a digest',
      config: { digests: [digest] },
      verdicts: [
        offline({ model_digest: undefined }),
        online({
          model: { ...verification.model, model_digest: null, bundle_status: 'unknown' },
          checks: checksWith('bundle', null),
        }),
      ],
    },
    {
      name: 'a deployment',
      config: { deploymentProofs: ['mtls', 'proxy'] },
      verdicts: [offline({ deployment_binding: undefined }), online(noDeployment)],
    },
    { name: 'the state of a bundle', config: { bundleStatuses: [...bundleStatuses] }, verdicts: [offline()] },
  ] satisfies { name: string; config: PolicyConfig; verdicts: JudgedVerdict[] }[])(
    'meets no rule: $name',
    ({ config, verdicts }) => {
      for (const verdict of verdicts)
        expect(policy({ now, ...config })(verdict)).toMatchObject({ allowed: false, violations: [{ found: null }] })
    },
  )

  it('a deployment that was only named is not a proof', () => {
    const decide = policy({ now, deploymentProofs: ['mtls', 'proxy'] })
    for (const verdict of [
      offline({ deployment_binding: 'self-asserted' }),
      online({
        ...noDeployment,
        deployment_id: record.deployment_id,
        deployment_info: { ...record.deployment_info, binding: 'self-asserted' },
      }),
    ])
      expect(decide(verdict)).toMatchObject({
        allowed: false,
        violations: [{ rule: 'deploymentProofs', found: 'self-asserted' }],
      })
  })

  const bundleIs = (bundle_status: string, passed: boolean | null) =>
    online({ model: { ...verification.model, bundle_status }, checks: checksWith('bundle', passed) })

  it.each([
    { status: 'verified', passed: true },
    { status: 'unknown', passed: null },
    { status: 'error', passed: null },
  ] as const)('a bundle that is $status meets a rule that names this status, and no other', ({ status, passed }) => {
    const verdict = bundleIs(status, passed)
    expect(policy({ now, bundleStatuses: [status] })(verdict).allowed).toBe(true)
    expect(policy({ now, bundleStatuses: bundleStatuses.filter((other) => other !== status) })(verdict).allowed).toBe(
      false,
    )
  })

  it('a bundle that claims to be verified but failed its check meets no rule', () => {
    expect(policy({ now, bundleStatuses: [...bundleStatuses] })(bundleIs('verified', null))).toMatchObject({
      allowed: false,
      violations: [{ rule: 'bundleStatuses', found: null }],
    })
  })

  it('a record with an invalid bundle is rejected', () => {
    for (const passed of [true, false, null])
      expect(policy({ now, bundleStatuses: [...bundleStatuses] })(bundleIs('invalid', passed))).toMatchObject({
        allowed: false,
        violations: [{ rule: 'result' }],
      })
  })

  it('only the registry knows what happened since minting', () => {
    const decide = policy({ now, liveState: 'checked' })
    expect(decide(online()).allowed).toBe(true)
    expect(decide(offline())).toMatchObject({
      allowed: false,
      violations: [{ rule: 'liveState', found: 'not_checked' }],
    })
  })
})

it.each([
  { name: 'issued at this moment, maximum age zero', ageMs: 0, maxAgeSeconds: 0, allowed: true },
  { name: 'a millisecond over zero', ageMs: 1, maxAgeSeconds: 0, allowed: false },
  { name: 'exactly as old as allowed', ageMs: 120_000, maxAgeSeconds: 120, allowed: true },
  { name: 'a millisecond older', ageMs: 120_001, maxAgeSeconds: 120, allowed: false },
  { name: 'from a clock that is ahead', ageMs: -3_000, maxAgeSeconds: 0, allowed: true },
])('checks the age: $name', ({ ageMs, maxAgeSeconds, allowed }) => {
  for (const verdict of [offline(), online()])
    expect(policy({ maxAgeSeconds, now: () => issuedAt + ageMs })(verdict).allowed).toBe(allowed)
})

it('measures the age by the registry’s clock if this machine’s is behind', () => {
  const late = online({ checked_at: new Date(issuedAt + 120_001).toISOString() })
  const decide = policy({ maxAgeSeconds: 120, now: () => issuedAt + 1_000 })
  expect(decide(late)).toMatchObject({ allowed: false, violations: [{ rule: 'maxAgeSeconds', found: 120.001 }] })
})

it('an offline verdict is rejected once its token has expired by the policy’s clock', () => {
  const decideAt = (ageMs: number) => policy({ now: () => issuedAt + ageMs })(offline())
  expect(decideAt(899_999).allowed).toBe(true)
  // Valid as long as the verifier accepts it.
  expect(decideAt(904_999).allowed).toBe(true)
  for (const ageMs of [905_000, 86_400_000, Number.NaN])
    expect(decideAt(ageMs)).toMatchObject({ allowed: false, violations: [{ rule: 'result' }] })
})

describe('a record that says verified', () => {
  const { cases } = vectors.verdicts

  it.each(cases)('is allowed only if readVerdict verifies it: $name', ({ answer, elapsed_ms, expect: expected }) => {
    const at = Date.parse(String((answer as VerificationResult | null)?.checked_at)) + elapsed_ms
    const verdict = { result: 'verified', live_state: 'checked', verification: answer } as JudgedVerdict
    // A policy does not know which link was requested.
    if (expected.doubt === 'other_link') return
    const rules = { issuer: vectors.verdicts.issuer, now: () => at }
    expect(policy(rules)(verdict).allowed).toBe(expected.result === 'verified')
    expect(policy({ ...rules, deploymentProofs: ['mtls', 'proxy'] })(verdict).allowed).toBe(
      expected.strength === 'deployment',
    )
  })

  it('is rejected once it has expired', () => {
    for (const verdict of [online(), Object.assign(online(), { reason: null })])
      expect(policy({ now: () => issuedAt + 900_000 })(verdict)).toMatchObject({
        allowed: false,
        violations: [
          { rule: 'result', found: 'unknown', message: expect.stringContaining('expired or contradictory') },
        ],
      })
  })

  it('is measured by the registry’s clock if this machine’s clock is behind', () => {
    expect(policy({ now: () => 0 })(online({ checked_at: verification.expires_at })).allowed).toBe(false)
  })
})

it.each([
  { result: 'not_verified', reason: 'expired' },
  { result: 'not_verified', reason: 'provider_unverified' },
  { result: 'unknown', reason: 'keys_unavailable' },
] as const)('a verdict that is $result ($reason) is never allowed, whatever its other fields', (verdict) => {
  const shown = { ...verdict, claims, verification, live_state: 'checked' }
  expect(policy({ now, allowUnverifiedProvider: true })(shown)).toEqual({
    allowed: false,
    violations: [
      { rule: 'result', expected: 'verified', found: verdict.result, message: expect.stringContaining(verdict.reason) },
    ],
  })
})

it.each([
  { name: 'an unknown rule', config: { provider: ['acme.example'] } },
  { name: 'a rule in other letter case', config: { Providers: ['acme.example'] } },
  { name: 'a rule without a value', config: { providers: undefined } },
  { name: 'null for a list', config: { models: null } },
  { name: 'a text for a list', config: { providers: 'acme.example' } },
  { name: 'a pattern for a text', config: { providers: [/acme/] } },
  { name: 'a digest without its algorithm', config: { digests: ['9f'.repeat(32)] } },
  { name: 'a digest in capitals', config: { digests: [`sha256:${'9F'.repeat(32)}`] } },
  { name: 'a host name for a registry', config: { issuer: 'registry.example' } },
  { name: 'a list of registries', config: { issuer: ['https://registry.example'] } },
  { name: 'an empty address', config: { issuer: '' } },
  { name: 'named deployments as a proof', config: { deploymentProofs: ['self-asserted'] } },
  { name: 'an unknown status of a bundle', config: { bundleStatuses: ['signed'] } },
  { name: 'a negative age', config: { maxAgeSeconds: -1 } },
  { name: 'an infinite age', config: { maxAgeSeconds: Number.POSITIVE_INFINITY } },
  { name: 'NaN as an age', config: { maxAgeSeconds: Number.NaN } },
  { name: 'an age as text', config: { maxAgeSeconds: '60' } },
  { name: 'an invalid live state', config: { liveState: 'not_checked' } },
  { name: 'a string for a boolean', config: { allowUnverifiedProvider: 'false' } },
  { name: 'a time instead of a clock', config: { now: 5 } },
  { name: 'inherited rules', config: Object.create({ providers: ['acme.example'] }) },
  {
    name: 'rules computed by a class',
    config: new (class {
      get providers() {
        return ['acme.example']
      }
    })(),
  },
  {
    name: 'a non-enumerable rule',
    config: Object.defineProperty({}, 'providers', { value: ['acme.example'], enumerable: false }),
  },
  { name: 'a rule with a symbol as its name', config: { [Symbol('providers')]: ['acme.example'] } },
  ...[[], 5, new Map([['providers', ['acme.example']]]), () => undefined, null].map((config) => ({
    name: `${String(config)} for its rules`,
    config,
  })),
])('rejects a policy with $name when it is created', ({ config }) => {
  expect(() => policy(config as never)).toThrow(TypeError)
})

it.each([
  { config: { issuer: 'registry' }, says: '"issuer" must be an address' },
  { config: { providers: 'acme.example' }, says: '"providers" must be a list of domains' },
  { config: { models: 'acme.example/tiny' }, says: '"models" must be a list of models' },
  { config: { digests: ['9f'] }, says: '"digests" must be a list of sha256:[0-9a-f]{64}' },
  { config: { deploymentProofs: ['mtsl'] }, says: '"deploymentProofs" must be a list of mtls|proxy|signed|workload' },
  { config: { bundleStatuses: ['signed'] }, says: '"bundleStatuses" must be a list of unknown|verified|invalid|error' },
  { config: { maxAgeSeconds: '300' }, says: '"maxAgeSeconds" must be from 0' },
  { config: { maxAgeSeconds: -1 }, says: '"maxAgeSeconds" must be from 0' },
  { config: { liveState: 'not_checked' }, says: '"liveState" must be checked' },
  { config: { logged: false }, says: '"logged" must be true' },
  { config: { allowUnverifiedProvider: 1 }, says: '"allowUnverifiedProvider" must be a boolean' },
  { config: { now: 3 }, says: '"now" must be a function' },
])('a policy says what $config should be', ({ config, says }) => {
  expect(() => policy(config as never)).toThrow(new TypeError(`policy: ${says}`))
})
