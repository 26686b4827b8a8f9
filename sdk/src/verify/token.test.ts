import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Claims } from '../contract/verifications.ts'
import { isClaims } from './claims.ts'
import * as web from './ed25519-web.ts'
import { checkToken, importKeys, readToken } from './token.ts'
import { createVerifier } from './verifier.ts'

const vectors: {
  issuer: string
  now: string
  clock_tolerance_seconds: number
  jwks: { keys: [{ kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; alg: 'EdDSA'; use: 'sig' }] }
  good: { name: string; token: string }[]
  bad: { name: string; token: string; reason: string }[]
} = JSON.parse(readFileSync(new URL('../testing/vectors/tokens.json', import.meta.url), 'utf8'))

const now = Date.parse(vectors.now)
const verifier = createVerifier({
  issuer: vectors.issuer,
  jwks: vectors.jwks,
  clockToleranceSeconds: vectors.clock_tolerance_seconds,
  now: () => now,
})

describe('a token', () => {
  it.each(vectors.good)('is verified: $name', async ({ token }) => {
    expect(await verifier.verify(token)).toMatchObject({ result: 'verified', live_state: 'not_checked', stale: false })
  })

  it.each(vectors.bad)('is rejected: $name', async ({ token, reason }) => {
    expect(await verifier.verify(token)).toMatchObject({ result: 'not_verified', reason })
  })

  it('lists every check, and passes none for a token that the registry did not sign', async () => {
    const keys = await importKeys(vectors.jwks)
    const judge = async (name: string) => {
      const reading = readToken([...vectors.good, ...vectors.bad].find((vector) => vector.name === name)?.token ?? '')
      if (reading === undefined) throw new Error(`No vector ${name}`)
      const { checks } = await checkToken({ reading, keys, issuer: vectors.issuer, now, clockToleranceSeconds: 5 })
      return checks.map(({ check, passed }) => [check, passed])
    }
    expect(await judge('plain')).toEqual([
      ['format', true],
      ['signature', true],
      ['issuer', true],
      ['key', true],
      ['time', true],
    ])
    expect(await judge('challenge changed')).toEqual([
      ['format', null],
      ['signature', false],
      ['issuer', null],
      ['key', null],
      ['time', null],
    ])
    expect(await judge('another kid')).toEqual([
      ['format', null],
      ['signature', null],
      ['issuer', null],
      ['key', false],
      ['time', null],
    ])
    expect(await judge('expired')).toEqual([
      ['format', true],
      ['signature', true],
      ['issuer', true],
      ['key', true],
      ['time', false],
    ])
  })

  it('gets the same verdict from WebCrypto and node:crypto', async () => {
    const [jwk] = vectors.jwks.keys
    const key = await web.importPublicKey(jwk)
    const fits = async (token: string) => {
      const reading = readToken(token)
      return reading !== undefined && (await web.verifySignature(key, reading.signedBytes, reading.signature))
    }
    for (const { token } of vectors.good) expect(await fits(token)).toBe(true)
    const forged = vectors.bad.filter(({ name, reason }) => reason === 'bad_signature' && !name.startsWith('alg'))
    expect(forged.length).toBeGreaterThan(15)
    for (const { token } of forged) expect(await fits(token)).toBe(false)
  })

  it('is checked only with keys of the right kind; others and broken ones are ignored', async () => {
    const [jwk] = vectors.jwks.keys
    const others = [
      { ...jwk, kty: 'RSA' },
      { ...jwk, alg: 'HS256' },
      { ...jwk, use: 'enc' },
      { ...jwk, x: 'short' },
      { ...jwk, kid: 7 },
    ]
    expect(await importKeys({ keys: others as never })).toHaveProperty('size', 0)
    expect(await importKeys({ keys: [...others, jwk] as never })).toHaveProperty('size', 1)
  })
})

describe('hand-written claim checks', () => {
  const good = readToken(vectors.good[1]?.token ?? '')?.claims ?? {}
  const values = [
    undefined,
    null,
    0,
    -1,
    1.5,
    '',
    'x',
    true,
    [],
    {},
    'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
    'A'.repeat(64),
    'mtls',
    'bearer',
  ]

  it.each(Object.keys(Claims.shape))('agree with the contract about %s', (name) => {
    for (const value of values) {
      // The contract allows slightly more forms of a hash and a time than a registry writes.
      const claims = { ...good, [name]: value }
      // A later registry may know other bindings.
      if (name === 'deployment_binding' && typeof value === 'string') expect(isClaims(claims)).toBe(true)
      else if (isClaims(claims)) expect(Claims.safeParse(claims).success).toBe(true)
      else if (name !== 'response_hash' && value !== -1) expect(Claims.safeParse(claims).success).toBe(false)
    }
  })
})
