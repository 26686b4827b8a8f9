import { expect, it } from 'vitest'
import { Claims } from '../contract/verifications.ts'
import { createVerifier, readLink } from '../verify/index.ts'
import { createTestKey, issueTestToken, vectors } from './index.ts'

it('a test token equals one signed by a registry, with the given claims', async () => {
  const { token, claims, issuer, jwks } = await issueTestToken({ provider_domain: 'northwind.example' })
  expect(Claims.safeParse(claims).error).toBeUndefined()
  expect(await createVerifier({ issuer, jwks }).verify(token)).toMatchObject({ result: 'verified', claims })
  expect(claims.provider_domain).toBe('northwind.example')
})

it.each([
  { name: 'expired', claims: { iat: 1, exp: 901 }, reason: 'expired' },
  { name: 'too long', claims: { exp: 4_102_444_800 }, reason: 'claim_mismatch' },
  { name: 'without a proven domain', claims: { provider_domain: undefined }, reason: 'provider_unverified' },
  { name: 'from another registry', claims: { iss: 'https://evil.example' }, reason: 'foreign_registry' },
])('a test token can be $name', async ({ claims, reason }) => {
  const key = await createTestKey()
  const { token, jwks } = await issueTestToken(claims, { key })
  expect(await createVerifier({ issuer: 'https://registry.test', jwks }).verify(token)).toMatchObject({
    result: 'not_verified',
    reason,
  })
})

it('the verifier passes the published vectors', async () => {
  const { issuer, now, clock_tolerance_seconds, jwks, good, bad } = vectors.tokens
  const verifier = createVerifier({
    issuer,
    jwks,
    clockToleranceSeconds: clock_tolerance_seconds,
    now: () => Date.parse(now),
  })
  for (const { name, token } of good)
    expect({ name, ...(await verifier.verify(token)) }).toMatchObject({ name, result: 'verified' })
  for (const { name, token, reason } of bad)
    expect({ name, ...(await verifier.verify(token)) }).toMatchObject({ name, reason })
  for (const { input, code } of vectors.linkCodes.spellings)
    expect(readLink(input)).toMatchObject({ kind: 'code', code })
})
