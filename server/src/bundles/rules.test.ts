import { generateKeyPairSync } from 'node:crypto'
import { type BundleReason, type BundleVerdict, bundleReasons } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import {
  declarationRefusal,
  detailsOf,
  fingerprintOf,
  fromStored,
  isSameSigner,
  nextCheckAt,
  notFetched,
  statusOf,
} from './rules.ts'

const minute = 60_000
const hour = 60 * minute

describe('the next check', () => {
  it.each([
    { name: 'a day after a decision', failures: 0, after: 24 * hour },
    { name: 'a minute after one failure', failures: 1, after: minute },
    { name: 'twice as long after two', failures: 2, after: 2 * minute },
    { name: 'twice as long again after three', failures: 3, after: 4 * minute },
    { name: 'at most six hours later', failures: 10, after: 6 * hour },
    { name: 'always six hours later', failures: 100_000, after: 6 * hour },
  ])('is $name', ({ failures, after }) => {
    expect(nextCheckAt({ at: 7, failures })).toBe(7 + after)
  })
})

describe('the status of a verdict', () => {
  const malformed = ['bundle_too_large', 'bundle_unreadable', 'bundle_unsupported']
  it.each(Object.entries(bundleReasons))(
    '%s follows the verdict, or is an error if the bundle cannot be read',
    (reason, status) => {
      const expected = malformed.includes(reason) ? 'error' : status
      expect(statusOf({ status, reason: reason as BundleReason })).toBe(expected)
    },
  )

  it('verified stays verified', () => {
    expect(statusOf({ status: 'verified', reason: null })).toBe('verified')
  })
})

const verdict: BundleVerdict = {
  ...notFetched('It was not there.'),
  status: 'invalid',
  reason: 'digest_mismatch',
  message: 'It is for another model.',
  checks: [
    { name: 'signature', result: 'passed', detail: '' },
    { name: 'certificate', result: 'not_checked', detail: '' },
    { name: 'digest', result: 'failed', detail: '' },
  ],
  signer: {
    identity: 'ada@acme.example',
    issuer: 'https://id.acme.example',
    repository: null,
    workflow: null,
    key_fingerprint: null,
  },
  signed_at: '2026-11-21T09:00:00.000Z',
}

it('the record of a verdict lists what passed, what failed and what was not checked', () => {
  expect(detailsOf(verdict)).toEqual({
    signatures_valid: true,
    certificate_valid: null,
    transparency_log_verified: null,
    artifact_hash_match: false,
    signer_identity: 'ada@acme.example (https://id.acme.example)',
    signer_tied: null,
    signature_timestamp: '2026-11-21T09:00:00.000Z',
    reason: 'digest_mismatch',
    error: 'It is for another model.',
  })
  expect(detailsOf({ ...verdict, status: 'verified', reason: null })).toMatchObject({
    signer_tied: true,
    reason: null,
    error: null,
  })
  expect(detailsOf({ ...verdict, status: 'unknown', reason: 'signer_not_tied' })).toMatchObject({ signer_tied: false })
})

it('a verdict on an earlier copy says when it was fetched', () => {
  const stored = fromStored(verdict, 'The address answered 503.', Date.UTC(2026, 10, 20))
  expect(stored).toMatchObject({ status: 'invalid', reason: 'digest_mismatch' })
  expect(stored.message).toMatch(/another model.*answered 503.*2026-11-20/)
})

const pairs = {
  ec: (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }),
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  'short rsa': () => generateKeyPairSync('rsa', { modulusLength: 1_024 }),
  ed25519: () => generateKeyPairSync('ed25519'),
}

const pemOf = (type: keyof typeof pairs, namedCurve = 'prime256v1') => {
  const { publicKey } = pairs[type](namedCurve)
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

describe('a declaration', () => {
  it.each([
    { name: 'of a P-256 key', signer: { kind: 'key', public_key: pemOf('ec') }, field: undefined },
    { name: 'of a P-521 key', signer: { kind: 'key', public_key: pemOf('ec', 'secp521r1') }, field: undefined },
    { name: 'of an Ed25519 key', signer: { kind: 'key', public_key: pemOf('ed25519') }, field: undefined },
    {
      name: 'of a key on another curve',
      signer: { kind: 'key', public_key: pemOf('ec', 'secp256k1') },
      field: 'signer.public_key',
    },
    { name: 'of an RSA key', signer: { kind: 'key', public_key: pemOf('rsa') }, field: undefined },
    { name: 'of a short RSA key', signer: { kind: 'key', public_key: pemOf('short rsa') }, field: 'signer.public_key' },
    {
      name: 'of no key',
      signer: { kind: 'key', public_key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
      field: 'signer.public_key',
    },
    {
      name: 'of no certificate',
      signer: {
        kind: 'certificate',
        certificate_chain: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      },
      field: 'signer.certificate_chain',
    },
    {
      name: 'of an identity',
      signer: { kind: 'identity', issuer: 'https://id.acme.example', identity: 'ada' },
      field: undefined,
    },
  ] as const)('$name names the invalid field, if any', ({ signer, field }) => {
    const refusal = declarationRefusal(signer)
    expect(refusal?.extensions).toEqual(
      field === undefined
        ? undefined
        : {
            errors: [
              expect.objectContaining({ loc: ['body', ...field.split('.')], pointer: `#/${field.replace('.', '/')}` }),
            ],
          },
    )
  })

  it('is equal for every spelling of a key, and different for another key', () => {
    const pem = pemOf('ec')
    const spelled = pem.replace(/\n/g, '\r\n')
    expect(isSameSigner({ kind: 'key', public_key: pem }, { kind: 'key', public_key: spelled })).toBe(true)
    expect(isSameSigner({ kind: 'key', public_key: pem }, { kind: 'key', public_key: pemOf('ec') })).toBe(false)
    const ada = { kind: 'identity', issuer: 'https://id.acme.example', identity: 'ada' } as const
    expect(isSameSigner(ada, { identity: 'ada', kind: 'identity', issuer: 'https://id.acme.example' })).toBe(true)
    expect(isSameSigner(ada, { ...ada, identity: 'Ada' })).toBe(false)
    expect(fingerprintOf(ada)).toBeNull()
  })
})
