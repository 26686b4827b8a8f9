import { expect, it } from 'vitest'
import { messageFor } from './words.ts'

const facts = {
  method: 'certificate',
  signer: {
    identity: 'x”. Signed by Acme',
    issuer: null,
    repository: null,
    workflow: null,
    key_fingerprint: 'a'.repeat(64),
  },
  signed_digest: null,
  predicate_type: 'check. Acme made this',
  trusted_root_date: null,
} as const

it('quotes what a signer chose, so that it cannot continue the sentence', () => {
  expect(messageFor('signer_not_tied', '', facts)).toContain('a declared authority: “x. Signed by Acme”. The signature')
  expect(messageFor('attestation_only', '', facts)).toContain('type “check. Acme made this”, signed by someone')
})
