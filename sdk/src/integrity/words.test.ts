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
  expect(messageFor('signer_not_tied', '', facts)).toContain(
    'a declared authority: “x\\u{201d}. Signed by Acme”. The signature',
  )
  expect(messageFor('attestation_only', '', facts)).toContain('type “check. Acme made this”, signed by someone')
})

it.each(['https://github.com/acme/models/.github/workflows/release.yml@refs/heads/main', 'release@acme.example'])(
  'shows an identity exactly, so that none looks like another: %s',
  (identity) => {
    const signer = { ...facts.signer, issuer: 'https://accounts.acme.example', key_fingerprint: null }
    const said = (end: string) => messageFor(null, '', { ...facts, signer: { ...signer, identity: identity + end } })
    const ends = ['', '{}', "'", '✓', '\u00a0', '\u0430']
    expect(new Set(ends.map(said)).size).toBe(ends.length)
    expect(said('{}')).toContain(`“${identity}\\u{7b}\\u{7d}”`)
  },
)
