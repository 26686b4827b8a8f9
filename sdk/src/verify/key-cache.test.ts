import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { Jwks } from '../contract/signing.ts'
import type { JwksCache } from './key-cache.ts'
import { createVerifier, type VerifierOptions } from './verifier.ts'

const issuer = 'https://registry.example'
const url = `${issuer}/.well-known/jwks.json`
const startedAt = Date.parse('2026-11-20T10:15:00.000Z')

const createPair = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { privateKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } as const }
}
const first = createPair('first')
const second = createPair('second')

let count = 0
const mint = ({ privateKey, jwk }: typeof first, kid: string = jwk.kid) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: issuer,
    jti: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
    iat: startedAt / 1_000,
    exp: startedAt / 1_000 + 900,
    model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5yt0',
    provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5yt1',
    provider_domain: 'acme.example',
    model_identifier: 'tiny',
    version: `1.0.${count++}`,
    bound_to_response: false,
  }
  const content = `${encode({ alg: 'EdDSA', typ: 'vt+jwt', kid })}.${encode(claims)}`
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
}

/** Processes that share only a cache, a registry and a clock. */
const createScene = (jwksCache: JwksCache) => {
  let at = startedAt
  const scene = {
    fetches: 0,
    keys: [first.jwk] as Jwks['keys'],
    isDown: false,
    advance: (ms: number) => {
      at += ms
    },
    now: () => at,
    create: (options: Partial<VerifierOptions> = {}) =>
      createVerifier({ issuer, jwksCache, fetch, now: () => at, ...options }),
  }
  const fetch = async () => {
    scene.fetches++
    if (scene.isDown) throw new Error('no route')
    return Response.json({ keys: scene.keys })
  }
  return scene
}

const entry = (changes: object = {}) =>
  JSON.stringify({ url, fetched_at: startedAt, jwks: { keys: [first.jwk] }, ...changes })
const holding = (text: unknown) => new Map([[url, text as string]])

describe('keys shared by a cache', () => {
  it('are fetched once for all processes, and again by the first that finds them old', async () => {
    const scene = createScene(new Map())
    for (const _ of [1, 2, 3])
      expect(await scene.create().verify(mint(first))).toMatchObject({ result: 'verified', stale: false })
    expect(scene.fetches).toBe(1)
    scene.advance(300_000)
    scene.keys = [second.jwk]
    for (const _ of [1, 2, 3]) expect(await scene.create().verify(mint(second))).toMatchObject({ result: 'verified' })
    expect(scene.fetches).toBe(2)
    // Withdrawn by another process's fetch.
    expect(await scene.create().verify(mint(first))).toMatchObject({ reason: 'unknown_key' })
  })

  it('age from when they were fetched, not from when they were read', async () => {
    const scene = createScene(holding(entry({ fetched_at: startedAt - 299_999 })))
    const verifier = scene.create()
    const token = mint(first)
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified' })
    expect(scene.fetches).toBe(0)
    scene.keys = [second.jwk]
    scene.advance(1)
    expect(await verifier.verify(token)).toMatchObject({ reason: 'unknown_key' })
    expect(scene.fetches).toBe(1)
  })

  it('limit a flood of unknown keys over all processes to one fetch per cooldown', async () => {
    const scene = createScene(new Map())
    const flood = async () => {
      for (let index = 0; index < 20; index++)
        expect(await scene.create().verify(mint(first, `unknown-${index}`))).toMatchObject({ reason: 'unknown_key' })
    }
    await flood()
    expect(scene.fetches).toBe(1)
    scene.advance(29_999)
    await flood()
    expect(scene.fetches).toBe(1)
    scene.advance(1)
    await flood()
    expect(scene.fetches).toBe(2)
  })

  it('are used through an outage for as long as allowed, and the verdict says so', async () => {
    const scene = createScene(new Map())
    await scene.create().verify(mint(first))
    scene.isDown = true
    scene.advance(300_000)
    const options = { staleIfErrorMs: 60_000 }
    expect(await scene.create().verify(mint(first))).toMatchObject({ result: 'unknown' })
    expect(await scene.create(options).verify(mint(first))).toMatchObject({ result: 'verified', stale: true })
    scene.advance(60_000)
    expect(await scene.create(options).verify(mint(first))).toMatchObject({
      result: 'unknown',
      reason: 'keys_unavailable',
    })
  })

  it('are requested together: concurrent tokens cost one read and one fetch', async () => {
    const cache = { get: vi.fn(async () => null), set: vi.fn() }
    const scene = createScene(cache)
    const verifier = scene.create()
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(mint(first))))
    expect(verdicts.filter(({ result }) => result === 'verified')).toHaveLength(20)
    expect([scene.fetches, cache.get.mock.calls.length, cache.set.mock.calls.length]).toEqual([1, 1, 1])
    expect(cache.set).toHaveBeenCalledWith(url, entry())
  })

  it('are fetched if one of several callers misses a key', async () => {
    const scene = createScene(holding(entry({ fetched_at: startedAt - 60_000 })))
    scene.keys = [first.jwk, second.jwk]
    const verifier = scene.create()
    const verdicts = await Promise.all([verifier.verify(mint(first)), verifier.verify(mint(second))])
    expect(verdicts.map(({ result }) => result)).toEqual(['verified', 'verified'])
    expect(scene.fetches).toBe(1)
  })
})

describe('the cached value is ignored and the registry asked if it', () => {
  const attacker = createPair('first')
  it.each([
    { name: 'is empty', cache: holding(undefined) },
    { name: 'is not text', cache: holding({ keys: [attacker.jwk] }) },
    { name: 'is not JSON', cache: holding('{') },
    { name: 'is a bare key set', cache: holding(JSON.stringify({ keys: [attacker.jwk] })) },
    { name: 'has no keys', cache: holding(entry({ jwks: { keys: {} } })) },
    { name: 'has no time', cache: holding(entry({ fetched_at: undefined })) },
    { name: 'has a time as text', cache: holding(entry({ fetched_at: new Date(startedAt).toISOString() })) },
    {
      name: 'comes from the future',
      cache: holding(entry({ fetched_at: startedAt + 5_001, jwks: { keys: [attacker.jwk] } })),
    },
    {
      name: 'belongs to another registry',
      cache: holding(entry({ url: 'https://evil.example/jwks.json', jwks: { keys: [attacker.jwk] } })),
    },
    {
      name: 'is larger than any key set',
      cache: holding(entry({ pad: 'x'.repeat(130_000), jwks: { keys: [attacker.jwk] } })),
    },
    { name: 'is old', cache: holding(entry({ fetched_at: startedAt - 300_000, jwks: { keys: [attacker.jwk] } })) },
    {
      name: 'fails',
      cache: { get: () => Promise.reject(new Error('no')), set: () => Promise.reject(new Error('no')) },
    },
    {
      name: 'throws',
      cache: {
        get: () => {
          throw new Error('no')
        },
        set: () => {
          throw new Error('no')
        },
      },
    },
  ])('$name', async ({ cache }) => {
    const scene = createScene(cache)
    expect(await scene.create().verify(mint(first))).toMatchObject({ result: 'verified', stale: false })
    expect(scene.fetches).toBe(1)
  })

  it('does not answer within a second', async () => {
    vi.useFakeTimers()
    try {
      const scene = createScene({ get: () => new Promise<null>(() => {}), set: () => new Promise(() => {}) })
      const verdict = scene.create().verify(mint(first))
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await verdict).toMatchObject({ result: 'verified' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('tolerates a clock that is a little behind, and extends the keys’ life by no more than that', async () => {
    const scene = createScene(holding(entry({ fetched_at: startedAt + 5_000 })))
    const verifier = scene.create()
    expect(await verifier.verify(mint(first))).toMatchObject({ result: 'verified' })
    expect(scene.fetches).toBe(0)
    scene.advance(305_000)
    await verifier.verify(mint(first))
    expect(scene.fetches).toBe(1)
  })
})
