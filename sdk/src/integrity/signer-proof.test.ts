import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignerChallenge, signSignerProof } from './signer-proof.ts'

const of = { registry: 'https://registry.example', provider: 'prv_acme', signer: 'sgn_one' }
const challengeFor = ({ registry, provider, signer } = of) =>
  `countersign signer proof v1\nregistry: ${registry}\nprovider: ${provider}\nsigner: ${signer}\nnonce: n\nexpires: 2026-11-22T00:00:00.000Z\n`

it('a challenge is signed only for the registry, provider and signer that the key holder expects', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(signSignerProof(challengeFor(), privateKey, of)).toMatch(/^[A-Za-z0-9+/]+=*$/)
  const others = [
    challengeFor({ ...of, registry: 'https://other.example' }),
    challengeFor({ ...of, registry: 'https://registry.example.evil.example' }),
    challengeFor({ ...of, provider: 'prv_thief' }),
    challengeFor({ ...of, signer: 'sgn_two' }),
    challengeFor({ ...of, registry: 'https://other.example' }) + challengeFor(),
    `${challengeFor()}registry: https://other.example\n`,
    challengeFor().replace('countersign', 'other'),
  ]
  for (const message of others) {
    expect(isSignerChallenge(message, of)).toBe(false)
    expect(() => signSignerProof(message, privateKey, of)).toThrow(RangeError)
  }
})
