import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { changes, type VerificationResult } from '../contract/verifications.ts'
import { createClient } from '../index.ts'
import { createVerifier, policy } from '../verify/index.ts'
import { createMockRegistry, type MockRegistryOptions, vectors } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const createScene = async (options: MockRegistryOptions = {}) => {
  let at = Date.parse('2026-11-20T10:15:00.000Z')
  const now = () => at
  vi.setSystemTime(at)
  const registry = await createMockRegistry({ now, ...options })
  const { fetch, apiKey, address } = registry
  return {
    registry,
    now,
    advance: (ms: number) => {
      at += ms
      vi.setSystemTime(at)
    },
    client: createClient({ baseURL: address, apiKey, fetch }),
    stranger: createClient({ baseURL: address, fetch }),
    verifier: createVerifier({ issuer: address, fetch, now }),
  }
}

const failure = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a link of the mock registry', () => {
  it.each(['mtls', 'proxy', 'signed', 'workload'] as const)(
    'is verified by its token, of a server with the proof %s',
    async (deployment_binding) => {
      const { client, stranger, registry } = await createScene({ deployment_binding })
      const { token } = await client.verifications.create({ model_id: registry.model_id })
      expect(await stranger.verifications.check(token)).toMatchObject({
        result: 'verified',
        verification: { deployment_info: { binding: deployment_binding } },
      })
    },
  )

  it('is verified by the client, its token by the verifier, and both by a policy', async () => {
    const { client, stranger, verifier, registry, now } = await createScene({
      model: { bundle_status: 'verified', model_digest: `sha256:${'9f'.repeat(32)}` },
      deployment_binding: 'mtls',
    })
    const link = await client.verifications.create({
      model_id: registry.model_id,
      challenge: 'blue heron',
      origin: 'https://chat.acme.example',
    })
    const rules = {
      providers: ['acme.example'],
      models: ['acme.example/tiny'],
      deploymentProofs: ['mtls'],
      maxAgeSeconds: 60,
      now,
    } as const
    for (const input of [link.verification_url, link.verification_url.toLowerCase(), link.token]) {
      const verdict = await stranger.verifications.check(input, {
        expect: { challenge: 'blue heron', provider_domain: 'acme.example' },
      })
      expect(verdict).toMatchObject({ result: 'verified', live_state: 'checked' })
      expect(policy({ ...rules, bundleStatuses: ['verified'], liveState: 'checked' })(verdict)).toEqual({
        allowed: true,
        violations: [],
      })
    }
    const offline = await verifier.verify(link.token, { expect: { origin: 'https://chat.acme.example' } })
    expect(offline).toMatchObject({
      result: 'verified',
      live_state: 'not_checked',
      claims: { jti: link.verification_id },
    })
    expect(policy(rules)(offline)).toEqual({ allowed: true, violations: [] })
    expect(registry.requests.map(({ row }) => row)).toEqual([
      'verifications.create',
      ...Array(3).fill('verifications.get'),
      'signing.jwks',
    ])
  })

  it('names no verified provider and no signer if the provider is not proven', async () => {
    const model_digest = `sha256:${'a'.repeat(64)}`
    const { client, verifier, registry } = await createScene({
      provider: { domain_verified: false },
      model: { bundle_status: 'verified', model_digest },
    })
    const link = await client.verifications.create({ model_id: registry.model_id })
    const { checks } = await client.verifications.get(link.verification_url)
    expect(checks).toContainEqual(expect.objectContaining({ check: 'bundle', passed: null }))
    for (const verdict of [await client.verifications.check(link.verification_url), await verifier.verify(link.token)])
      expect(verdict).toMatchObject({ result: 'not_verified', reason: 'provider_unverified' })
  })

  it.each([
    { name: 'a stale proof', provider: { domain_status: 'stale' } },
    { name: 'a lost proof', provider: { domain_status: 'unproven' } },
    { name: 'a proof without a method', provider: { domain_verification_method: null } },
    { name: 'no domain', provider: { domain: null } },
  ] as const)('names no verified provider for $name', async ({ provider }) => {
    const { client, verifier, registry } = await createScene({ provider })
    const link = await client.verifications.create({ model_id: registry.model_id })
    expect(await client.verifications.get(link.verification_url)).toMatchObject({ status: 'provider_unverified' })
    for (const verdict of [await client.verifications.check(link.verification_url), await verifier.verify(link.token)])
      expect(verdict).toMatchObject({ result: 'not_verified', reason: 'provider_unverified' })
  })

  it.each([
    { change: 'model_archived', model: { archived_at: '2026-11-20T10:00:00.000Z' } },
    { change: 'bundle_invalid', model: { bundle_status: 'invalid' } },
  ] as const)('is rejected for a model with $change', async ({ change, model }) => {
    const { client, registry } = await createScene({ model })
    const link = await client.verifications.create({ model_id: registry.model_id })
    expect(await failure(client.verifications.get(link.verification_url))).toMatchObject({ status: 400 })
    expect(await client.verifications.check(link.verification_url)).toMatchObject({ result: 'not_verified', change })
  })

  it('shows no verified signature without a digest', async () => {
    const { client, registry } = await createScene({ model: { bundle_status: 'verified' } })
    const link = await client.verifications.create({ model_id: registry.model_id })
    expect(link.bundle_status).toBe('unknown')
    const { checks } = await client.verifications.get(link.verification_url)
    expect(checks.find(({ check }) => check === 'bundle')?.passed).toBeNull()
  })

  it('carries the answer it was minted with', async () => {
    const { client, verifier, registry } = await createScene()
    const link = await client.verifications.create({ model_id: registry.model_id, response: 'hello' })
    expect(await verifier.verify(link.bound_token ?? '')).toMatchObject({
      result: 'verified',
      claims: { bound_to_response: true, response_hash: link.response_hash, bound_by: 'provider' },
    })
    expect(await client.verifications.get(link.bound_token ?? '')).toMatchObject({
      bound_answer: { response_hash: link.response_hash },
    })
  })

  it('expires', async () => {
    const { client, verifier, registry, advance } = await createScene()
    const link = await client.verifications.create({ model_id: registry.model_id })
    advance(899_000)
    expect(await client.verifications.check(link.verification_url)).toMatchObject({ result: 'verified' })
    advance(1_000)
    expect(await client.verifications.check(link.verification_url)).toMatchObject({
      result: 'not_verified',
      reason: 'expired',
      change: 'expired',
    })
    advance(5_000)
    expect(await verifier.verify(link.token)).toMatchObject({ reason: 'expired' })
  })

  it.each(['model_archived', 'deployment_disabled'] as const)(
    'still says %s after it expired, unless that came later',
    async (change) => {
      const { client, registry, advance } = await createScene()
      const early = await client.verifications.create({ model_id: registry.model_id })
      advance(60_000)
      registry.change(change)
      advance(900_000)
      expect(await client.verifications.check(early.verification_url)).toMatchObject({ change })
      registry.change(null)
      registry.change(change)
      expect(await client.verifications.check(early.verification_url)).toMatchObject({ change: 'expired' })
    },
  )

  it('still says that a signature is invalid after it expired, whenever that was checked', async () => {
    const { client, registry, advance } = await createScene()
    const { verification_url } = await client.verifications.create({ model_id: registry.model_id })
    advance(900_000)
    registry.change('bundle_invalid')
    expect(await client.verifications.check(verification_url)).toMatchObject({ change: 'bundle_invalid' })
  })

  it.each(changes.filter((change) => change !== 'expired'))('is no longer verified after %s', async (change) => {
    const { client, registry } = await createScene()
    const { verification_url } = await client.verifications.create({ model_id: registry.model_id })
    registry.change(change)
    const verdict = await client.verifications.check(verification_url)
    expect(verdict).toMatchObject({
      result: 'not_verified',
      reason: change === 'model_archived' ? 'archived' : change === 'suspended' ? 'suspended' : 'revoked',
      change,
    })
    expect(verdict.checks.filter(({ passed }) => passed === false)).toHaveLength(1)
    registry.change(null)
    expect(await client.verifications.check(verification_url)).toMatchObject({ result: 'verified' })
  })

  it.each([
    { name: 'another code', input: 'W904-2CKW-GDNC-X7S1', reason: 'not_found' },
    { name: 'a mistyped code', input: 'W904-2CKW-GDNC-X7S2', reason: 'mistyped' },
    { name: 'another registry’s', input: 'https://evil.example/v/W904-2CKW-GDNC-X7S1', reason: 'foreign_registry' },
    { name: 'not a link', input: 'hello', reason: 'malformed' },
  ])('is not $name', async ({ input, reason }) => {
    const { client, registry } = await createScene()
    expect(await client.verifications.check(input)).toMatchObject({ result: 'not_verified', reason })
    expect(await failure(client.verifications.get(input))).toMatchObject({ name: 'LinkError', reason })
    expect(registry.requests.every(({ row }) => row === 'verifications.get')).toBe(true)
  })
})

describe('the mock registry', () => {
  it('rejects what the contract rejects', async () => {
    const { client, stranger, registry } = await createScene()
    const { model_id, address, fetch } = registry
    const create = (input: object) => failure(client.verifications.create(input as { model_id: string }))
    expect(await create({ model_id, challenge: '<b>', colour: 'red' })).toMatchObject({
      status: 422,
      code: 'validation_failed',
      issues: [{ pointer: '#/challenge' }, { pointer: '#/colour', msg: 'Unknown field "colour"' }],
    })
    expect(await create({ model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' })).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await failure(stranger.verifications.create({ model_id }))).toMatchObject({
      status: 401,
      code: 'unauthorized',
      requestId: 'req_3',
    })
    expect(await failure(client.models.get('mine'))).toMatchObject({ code: 'not_found' })
    expect((await fetch(`${address}/api/v1/nothing`)).status).toBe(404)
    expect((await fetch(`${address}/.well-known/jwks.json`, { method: 'PUT' })).status).toBe(405)
    expect((await fetch(`${address}/api/v1/incidents/report`, { method: 'POST', body: '{' })).status).toBe(400)
  })

  it('fails the next calls of an endpoint as configured, and only with its declared errors', async () => {
    const { client, registry } = await createScene()
    const { model_id } = registry
    registry.refuseNext('verifications.create', 'unavailable', { times: 2 })
    expect(await client.verifications.create({ model_id })).toMatchObject({ expires_in: 900 })
    expect(registry.requests).toHaveLength(3)
    registry.refuseNext('verifications.create', 'rate_limited', { retryAfterSeconds: 3_600 })
    expect(await failure(client.verifications.create({ model_id }))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 3_600_000,
    })
    expect(() => registry.refuseNext('signing.jwks', 'model_exists')).toThrow(
      'signing.jwks cannot be rejected with model_exists',
    )
    expect(() => registry.refuseNext('signing.keys' as 'signing.jwks', 'unavailable')).toThrow(TypeError)
  })

  it('answers other endpoints as the test says, and checks those answers against the contract', async () => {
    const { client, registry } = await createScene()
    expect(await failure(client.keys.list())).toMatchObject({ message: expect.stringContaining("answer('keys.list'") })
    registry.answer('keys.list', () => [{ id: 'key_1' }] as never)
    expect(await failure(client.keys.list())).toMatchObject({ message: expect.stringContaining('not the contract’s') })
    expect(registry.requests).toHaveLength(2)
    registry.answer('models.archive', ({ params, body }) => {
      throw new Refusal('model_archived', `${params.id}: ${body.reason}`)
    })
    const { model_id } = registry
    expect(await failure(client.models.archive(model_id, { reason: 'Old' }))).toMatchObject({
      code: 'model_archived',
      detail: `${model_id}: Old`,
    })
  })

  it('is reached only at its address, and stops when its caller aborts', async () => {
    const { registry } = await createScene()
    const lost = createClient({ baseURL: 'https://elsewhere.test', fetch: registry.fetch, maxRetries: 0 })
    expect(await failure(lost.signing.jwks())).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(registry.address),
    })
    await expect(
      registry.fetch(`${registry.address}/.well-known/jwks.json`, { signal: AbortSignal.abort() }),
    ).rejects.toThrow('aborted')
  })
})

describe('answers set by a test', () => {
  const { issuer, cases } = vectors.verdicts

  it.each(cases)(
    'are verified only if readVerdict verifies them: $name',
    async ({ answer, elapsed_ms, expect: { result } }) => {
      const registry = await createMockRegistry({ address: issuer })
      const checkedAt = Date.parse(String((answer as VerificationResult | null)?.checked_at))
      if (checkedAt > 0) vi.setSystemTime(checkedAt)
      // An answer outside the contract is reported as a mistake of the test.
      registry.answer('verifications.get', () => answer as VerificationResult)
      const verdict = await createClient({ baseURL: issuer, fetch: registry.fetch, maxRetries: 0 }).verifications.check(
        vectors.verdicts.link,
      )
      if (elapsed_ms === 0 && verdict.result === 'verified') expect(result).toBe('verified')
      if (result === 'verified' && verdict.result !== 'verified') expect(verdict.result).toBe('unknown')
    },
  )
})
