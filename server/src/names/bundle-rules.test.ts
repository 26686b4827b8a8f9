import type { BundleDetails } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { fitDetails } from './bundle-rules.ts'

const signer = { issuer: null, repository: null, workflow: null, key_fingerprint: null }
const ofSigstore = { ...signer, identity: 'ada@rival.example', issuer: 'https://accounts.google.com' }
const ofAuthority = { ...signer, identity: 'CN=Rival (rival.example)', key_fingerprint: 'a'.repeat(64) }

const shown = (error: string, of: typeof ofSigstore | typeof ofAuthority | null = null) =>
  fitDetails({ signer_identity: null, error } as BundleDetails, of, ['acme.example'])?.error

it.each([
  'https://slsa.dev/provenance/v1',
  'https://slsa.dev/verification_summary/v1',
  'https://in-toto.io/attestation/test-result/v0.1',
  'https://spdx.dev/Document/v2.3',
  'https://cyclonedx.org/bom',
  'https://github.com/npm/attestation/tree/main/specs/publish/v0.1',
  'https://model_signing/signature/v1.0',
  'https://acme.example/attestations/v1',
])('visitors read the type of an attestation: %s', (type) => {
  const error = `An attestation of type “${type}”, signed with a key that is not declared.`
  expect(shown(error)).toBe(error)
})

it.each([
  'https://openai.com/verified-release',
  'https://slsa.dev/verified-by-openai/v1',
  'https://github.com/openai.com/officially-verified',
  'https://acme.example/verified',
  'https://rival☃.example/v1',
  `https://acme.example/${'v'.repeat(300)}`,
])(
  'visitors do not read the type of an attestation that contains another’s domain or words of judgement: %s',
  (type) => {
    expect(shown(`An attestation of type “${type}”, signed with a key that is not declared.`)).toBe(
      'An attestation of an unknown statement type, signed with a key that is not declared.',
    )
  },
)

it.each([
  {
    of: ofSigstore,
    error: 'Signed by “ada@rival.example” (https://accounts.google.com). Declare that signer.',
    says: 'Signed by “ada@rival.example” (https://accounts.google.com). Declare that signer.',
  },
  {
    of: ofAuthority,
    error: 'Signed by someone certified by a declared authority: “CN=Rival (rival.example)”. Declare that signer.',
    says: 'Signed by a certificate of a declared authority. Declare that signer.',
  },
  {
    of: null,
    error: '(“CN=Verified by Rival” is valid from today.)',
    says: '(a name that is not shown here is valid from today.)',
  },
  {
    of: null,
    error: '("verified \\"by rival.example" is listed twice.)',
    says: '(a name that is not shown here is listed twice.)',
  },
  { of: null, error: '("model.safetensors" is listed twice.)', says: '("model.safetensors" is listed twice.)' },
])('visitors read what was signed by whom without what its signer chose: $says', ({ of, error, says }) => {
  expect(shown(error, of)).toBe(says)
})
