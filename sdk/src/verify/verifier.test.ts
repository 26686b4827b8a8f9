import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { jwksMaxAgeSeconds } from '../contract/limits.ts'
import type { Jwk } from '../contract/signing.ts'
import { createLinkCode } from './create-link-code.ts'
import { formatLinkCode } from './link-code.ts'
import { createVerifier, VerificationError, type VerifierOptions } from './verifier.ts'

const issuer = 'https://registry.example'
const startedAt = Date.parse('2026-11-20T10:15:00.000Z')

interface Pair {
  privateKey: KeyObject
  jwk: Jwk
}

const createPair = (kid: string): Pair => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    privateKey: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
  }
}

const claims = {
  iss: issuer,
  jti: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  iat: startedAt / 1_000,
  exp: startedAt / 1_000 + 900,
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5yt0',
  provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5yt1',
  provider_domain: 'acme.example' as string | undefined,
  model_identifier: 'tiny',
  version: '1.0.0',
  model_digest: `sha256:${'9f'.repeat(32)}`,
  deployment_binding: 'mtls',
  spki_fingerprint: 'a4'.repeat(32),
  challenge: 'blue heron',
  origin: 'https://chat.acme.example',
  bound_to_response: false,
}

const mint = ({ privateKey, jwk }: Pair, changes: Partial<typeof claims> = {}) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'EdDSA', typ: 'vt+jwt', kid: jwk.kid })}.${encode({ ...claims, ...changes })}`
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
}

const first = createPair('first')
const second = createPair('second')

const createClock = () => {
  let at = startedAt
  return {
    now: () => at,
    advance: (ms: number) => {
      at += ms
    },
  }
}

describe('with given keys', () => {
  const verifier = createVerifier({ issuer, jwks: { keys: [first.jwk] }, now: () => startedAt })
  const code = formatLinkCode(createLinkCode(startedAt, new Uint8Array(8).fill(7)))

  it('verifies a token and says that live state was not checked', async () => {
    const verdict = await verifier.verify(mint(first))
    expect(verdict).toMatchObject({
      result: 'verified',
      live_state: 'not_checked',
      stale: false,
      claims: { provider_domain: 'acme.example' },
    })
    expect(verdict.checks.map(({ check }) => check)).toEqual([
      ...['format', 'signature', 'issuer', 'key', 'time', 'domain', 'provider'],
      ...['model', 'deployment', 'digest', 'bundle', 'answer', 'expectation', 'chat'],
    ])
    expect(verdict.checks.find(({ check }) => check === 'model')?.passed).toBeNull()
  })

  it('verifies a link around a token', async () => {
    expect(await verifier.verify(`[check](${issuer}/verify/${mint(first)})`)).toMatchObject({ result: 'verified' })
  })

  it('does not verify an unverified provider unless allowed', async () => {
    const token = mint(first, { provider_domain: undefined })
    expect(await verifier.verify(token)).toMatchObject({
      result: 'not_verified',
      reason: 'provider_unverified',
      claims: { version: '1.0.0' },
    })
    expect(await verifier.verify(token, { allowUnverifiedProvider: true })).toMatchObject({ result: 'verified' })
  })

  it('returns no claims that the registry did not sign', async () => {
    const forged = mint({ ...second, jwk: first.jwk })
    expect(await verifier.verify(forged)).not.toHaveProperty('claims')
  })

  it.each([
    'provider_domain',
    'provider_id',
    'model_id',
    'model_digest',
    'spki_fingerprint',
    'challenge',
    'origin',
  ] as const)('compares the token with the expected %s as an exact string', async (name) => {
    const token = mint(first)
    const right = String(claims[name])
    expect(await verifier.verify(token, { expect: { [name]: right } })).toMatchObject({ result: 'verified' })
    for (const wrong of [right.toUpperCase(), `${right}.evil.example`, right.slice(0, -1), '.*', '']) {
      const verdict = await verifier.verify(token, { expect: { [name]: wrong } })
      expect(verdict).toMatchObject({ result: 'not_verified', reason: 'claim_mismatch' })
      expect(verdict.checks.find(({ check }) => check === 'expectation')).toMatchObject({ passed: false })
    }
  })

  it('says whether an expected domain differs or no domain was verified', async () => {
    const shown = async (changes: Partial<typeof claims>) => {
      const asked = { expect: { provider_domain: 'northwind.example' }, allowUnverifiedProvider: true }
      const { checks } = await verifier.verify(mint(first, changes), asked)
      return checks.find(({ check }) => check === 'expectation')?.detail
    }
    expect(await shown({})).toContain('provider_domain should be northwind.example, but it is acme.example')
    expect(await shown({ provider_domain: undefined })).toContain('not verified')
  })

  it('does not accept a self-asserted fingerprint as the expected one', async () => {
    const token = mint(first, { deployment_binding: 'self-asserted' })
    expect(await verifier.verify(token, { expect: { spki_fingerprint: claims.spki_fingerprint } })).toMatchObject({
      reason: 'claim_mismatch',
    })
  })

  it('accepts a fingerprint as the expected one only if the token says it was proven', async () => {
    const { deployment_binding: _, ...rest } = claims
    const token = mint(first, { ...rest, deployment_binding: undefined as never })
    expect(await verifier.verify(token, { expect: { spki_fingerprint: claims.spki_fingerprint } })).toMatchObject({
      reason: 'claim_mismatch',
    })
  })

  it('verifies nothing without a clock, not even a token it has seen', async () => {
    let now = startedAt
    const clocked = createVerifier({ issuer, jwks: { keys: [first.jwk] }, now: () => now })
    const token = mint(first)
    expect((await clocked.verify(token)).result).toBe('verified')
    now = Number.NaN
    await expect(clocked.assert(token)).rejects.toThrow()
  })

  it('rejects an unknown option: a misspelled expectation would always be met', async () => {
    await expect(
      verifier.verify(mint(first), { expected: { provider_domain: 'evil.example' } } as never),
    ).rejects.toThrow('verify: unknown option "expected"')
    await expect(verifier.assert(mint(first), { expects: {} } as never)).rejects.toThrow(TypeError)
    expect(() => createVerifier({ issuer, staleIfError: 5 } as never)).toThrow(
      'createVerifier: unknown option "staleIfError"',
    )
  })

  it.each([Number.NaN, Infinity, 1e9, -1, '5', 'x', {}, null])(
    'rejects a tolerance and times of %j, which would limit nothing',
    (given) => {
      for (const name of ['clockToleranceSeconds', 'cacheMaxAgeMs', 'cooldownMs', 'staleIfErrorMs'])
        if (given !== 1e9 || name === 'clockToleranceSeconds')
          expect(() => createVerifier({ issuer, [name]: given } as never), name).toThrow(TypeError)
    },
  )

  it('says what to do with a link code, which only the registry can check', async () => {
    expect(await verifier.verify(code)).toMatchObject({
      cause: { message: expect.stringContaining('verifications.check') },
    })
  })

  it('rejects an expectation that is never compared', async () => {
    await expect(verifier.verify(mint(first), { expect: { provider: 'acme.example' } as never })).rejects.toThrow(
      TypeError,
    )
    await expect(verifier.verify(mint(first), { expect: { provider_domain: undefined } })).rejects.toThrow(TypeError)
  })

  it.each([
    { name: 'a link code', input: code, result: 'unknown', reason: 'keys_unavailable' },
    { name: 'a link with a code', input: `${issuer}/v/${code}`, result: 'unknown', reason: 'keys_unavailable' },
    {
      name: 'a mistyped code',
      input: code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      result: 'not_verified',
      reason: 'mistyped',
    },
    {
      name: 'a code at another registry',
      input: `https://evil.example/v/${code}`,
      result: 'not_verified',
      reason: 'foreign_registry',
    },
    {
      name: 'a code at another host without a scheme',
      input: `evil.example/v/${code}`,
      result: 'not_verified',
      reason: 'foreign_registry',
    },
    {
      name: 'a code under another scheme',
      input: `ftp://${new URL(issuer).host}/v/${code}`,
      result: 'not_verified',
      reason: 'malformed',
    },
    {
      name: 'our token under another scheme',
      input: `hxxps://evil.example/v/${mint(first)}`,
      result: 'not_verified',
      reason: 'malformed',
    },
    {
      name: 'our token at another registry',
      input: `https://evil.example/v/${mint(first)}`,
      result: 'not_verified',
      reason: 'foreign_registry',
    },
    {
      name: 'a token of another registry',
      input: mint(first, { iss: 'https://evil.example' }),
      result: 'not_verified',
      reason: 'foreign_registry',
    },
    { name: 'something else', input: 'hello', result: 'not_verified', reason: 'malformed' },
  ])('handles $name', async ({ input, result, reason }) => {
    expect(await verifier.verify(input)).toMatchObject({ result, reason, live_state: 'not_checked' })
  })

  it('throws the verdict from assert', async () => {
    await expect(verifier.assert(mint(first))).resolves.toMatchObject({ model_identifier: 'tiny' })
    const error = await verifier.assert('hello').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VerificationError)
    expect(error).toMatchObject({ result: 'not_verified', reason: 'malformed', check: 'format' })
  })

  it.each([
    {
      name: 'another model',
      input: mint(first),
      expect: { model_id: 'mdl_other' },
      message:
        /^verifier\.assert: claim_mismatch\. expectation: .* model_id should be mdl_other, but it is mdl_.*\. Do not rely on it/,
    },
    { name: 'a code', input: code, message: /link code needs verifications\.check; here, pass a token/ },
    { name: 'another issuer', input: mint(first, { iss: 'https://evil.example' }), message: /than https:.* "issuer"/ },
  ])('says which check failed and what to do: $name', async ({ input, expect: expected, message }) => {
    await expect(verifier.assert(input, { expect: expected })).rejects.toThrow(message)
  })
})

describe('a token seen before', () => {
  it('is still checked against the clock, expectations and the policy', async () => {
    const clock = createClock()
    const verifier = createVerifier({ issuer, jwks: { keys: [first.jwk] }, now: clock.now })
    const token = mint(first)
    for (const result of ['verified', 'verified']) expect(await verifier.verify(token)).toMatchObject({ result })
    expect(await verifier.verify(token, { expect: { model_id: 'other' } })).toMatchObject({ reason: 'claim_mismatch' })
    clock.advance(905_000)
    expect(await verifier.verify(token)).toMatchObject({ result: 'not_verified', reason: 'expired' })
  })

  it('keeps its claims if a caller changes the returned ones', async () => {
    const verifier = createVerifier({ issuer, jwks: { keys: [first.jwk] }, now: () => startedAt })
    const token = mint(first, { provider_domain: undefined })
    const verdict = await verifier.verify(token, { allowUnverifiedProvider: true })
    if ('claims' in verdict && verdict.claims) verdict.claims.provider_domain = 'acme.example'
    expect(await verifier.verify(token)).toMatchObject({ reason: 'provider_unverified' })
  })
})

describe('with keys fetched from a registry', () => {
  let server: Server
  let url: string
  let fetches: number
  let answer: (request: IncomingMessage, response: ServerResponse) => void

  const publish = (...pairs: Pair[]) => {
    answer = (_, response) => response.end(JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }))
  }
  const create = (options: Partial<VerifierOptions> = {}) =>
    createVerifier({ issuer, jwks: url, now: () => startedAt, ...options })

  beforeEach(async () => {
    fetches = 0
    publish(first)
    server = createServer((request, response) => {
      fetches++
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/jwks.json`
  })
  afterEach(() => {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })

  it('fetches them once for many tokens', async () => {
    const verifier = create()
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => verifier.verify(mint(first, { version: `${index}` }))),
    )
    expect(verdicts.filter(({ result }) => result === 'verified')).toHaveLength(50)
    expect(fetches).toBe(1)
  })

  it('follows a rotation: a new key is fetched when its first token comes', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now })
    await verifier.verify(mint(first))
    publish(first, second)
    clock.advance(30_000)
    expect(await verifier.verify(mint(second))).toMatchObject({ result: 'verified' })
    expect(fetches).toBe(2)
  })

  it('drops a withdrawn key when the cache is old, even for tokens seen before', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now })
    const token = mint(first)
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified' })
    publish(second)
    clock.advance(jwksMaxAgeSeconds * 1_000 - 1_000)
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified' })
    clock.advance(1_000)
    expect(await verifier.verify(token)).toMatchObject({ result: 'not_verified', reason: 'unknown_key' })
  })

  it('checks a token seen before again when the keys have changed', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now, cacheMaxAgeMs: 60_000 })
    const token = mint(first)
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified' })
    publish({ ...second, jwk: { ...second.jwk, kid: first.jwk.kid } })
    clock.advance(60_000)
    await verifier.verify(mint(first, { version: '2' }))
    expect(await verifier.verify(token)).toMatchObject({ result: 'not_verified', reason: 'bad_signature' })
  })

  it('fetches at most once per cooldown, for any number of unknown keys', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now })
    const flood = () =>
      Promise.all(Array.from({ length: 100 }, (_, index) => verifier.verify(mint(createPairNamed(index)))))
    for (const verdict of await flood())
      expect(verdict).toMatchObject({ result: 'not_verified', reason: 'unknown_key' })
    expect(fetches).toBe(1)
    clock.advance(29_999)
    await flood()
    expect(fetches).toBe(1)
    clock.advance(1)
    await flood()
    expect(fetches).toBe(2)
  })

  it('returns unknown if the registry cannot be reached, and retries later', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now })
    answer = (_, response) => response.writeHead(503).end()
    expect(await verifier.verify(mint(first))).toMatchObject({
      result: 'unknown',
      reason: 'keys_unavailable',
      cause: expect.any(Error),
    })
    publish(first)
    clock.advance(1_000)
    expect(await verifier.verify(mint(first))).toMatchObject({ result: 'verified' })
  })

  it('returns unknown for a new key during an outage, never unknown_key', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now })
    await verifier.verify(mint(first))
    answer = (request) => request.socket.destroy()
    clock.advance(30_000)
    for (const result of ['unknown', 'unknown']) expect(await verifier.verify(mint(second))).toMatchObject({ result })
    expect(await verifier.verify(mint(first))).toMatchObject({ result: 'verified' })
  })

  it('uses old keys during an outage for as long as configured, and says so', async () => {
    const clock = createClock()
    const verifier = create({ now: clock.now, cacheMaxAgeMs: 60_000, staleIfErrorMs: 60_000 })
    const token = mint(first)
    await verifier.verify(token)
    answer = (_, response) => response.writeHead(500).end()
    clock.advance(90_000)
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified', stale: true })
    clock.advance(30_000)
    expect(await verifier.verify(token)).toMatchObject({ result: 'unknown' })
  })

  it.each([
    {
      name: 'a redirect, even to valid keys',
      answers: (to: string) => (_: unknown, response: ServerResponse) =>
        response.writeHead(302, { Location: `${to}?moved` }).end(),
    },
    { name: 'an HTML page', answers: () => (_: unknown, response: ServerResponse) => response.end('<html>') },
    { name: 'another document', answers: () => (_: unknown, response: ServerResponse) => response.end('{"keys":{}}') },
    {
      name: 'more than 64 kB',
      answers: () => (_: unknown, response: ServerResponse) =>
        response.end(JSON.stringify({ keys: [first.jwk], pad: 'x'.repeat(64_000) })),
    },
    {
      name: 'half a response',
      answers: () => (_: unknown, response: ServerResponse) =>
        response.writeHead(200, { 'Content-Length': 500 }).write('{"keys":[', () => response.destroy()),
    },
  ])('rejects $name as keys', async ({ answers }) => {
    const bad = answers(url)
    answer = (request, response) =>
      request.url?.endsWith('?moved') ? response.end(JSON.stringify({ keys: [first.jwk] })) : bad(request, response)
    expect(await create().verify(mint(first))).toMatchObject({ result: 'unknown', reason: 'keys_unavailable' })
    expect(fetches).toBe(1)
  })

  it('gives up after five seconds of silence', async () => {
    vi.useFakeTimers()
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const verdict = create({ fetch: silent }).verify(mint(first))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await verdict).toMatchObject({
      result: 'unknown',
      cause: { message: expect.stringContaining('/jwks.json: No answer in 5000 ms') },
    })
  })

  it('stops waiting when its caller aborts, and keeps the fetch for the others', async () => {
    const arrived = Promise.withResolvers<() => void>()
    answer = (_, response) => arrived.resolve(() => response.end(JSON.stringify({ keys: [first.jwk] })))
    const verifier = create()
    const controller = new AbortController()
    const impatient = verifier.verify(mint(first), { signal: controller.signal })
    const patient = verifier.verify(mint(first))
    const release = await arrived.promise
    controller.abort(new Error('enough'))
    await expect(impatient).rejects.toThrow('enough')
    release()
    expect(await patient).toMatchObject({ result: 'verified' })
    await expect(verifier.verify(mint(first), { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('bypasses the browser’s cache, if the runtime supports that', async () => {
    const asked: (string | undefined)[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      asked.push(init?.cache)
      return Response.json({ keys: [first.jwk] })
    }
    await create({ fetch }).verify(mint(first))
    vi.stubGlobal('Request', class {})
    await create({ fetch }).verify(mint(first))
    vi.unstubAllGlobals()
    expect(asked).toEqual(['no-store', undefined])
  })

  it('fetches the keys of the issuer by default', async () => {
    const asked: string[] = []
    const verifier = createVerifier({
      issuer,
      now: () => startedAt,
      fetch: async (input) => {
        asked.push(String(input))
        return Response.json({ keys: [first.jwk] })
      },
    })
    expect(await verifier.verify(mint(first))).toMatchObject({ result: 'verified' })
    expect(asked).toEqual([`${issuer}/.well-known/jwks.json`])
  })
})

const createPairNamed = (index: number): Pair => ({ ...second, jwk: { ...second.jwk, kid: `unknown-${index}` } })
