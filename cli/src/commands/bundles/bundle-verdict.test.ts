import { bundleCheckNames } from '@countersign/sdk/contract'
import { readTrustedRoot, verifyBundle } from '@countersign/sdk/integrity'
import { expect, it } from 'vitest'
import { plain } from '../../render/output.ts'
import { describeVerdict, exitOfRecord, stateOfBundle } from './bundle-verdict.ts'

const unread = verifyBundle({
  bundle: 'no JSON',
  trustedRoot: readTrustedRoot(),
  digest: null,
  signers: [],
  now: new Date(),
})

it('shows every check once one has started', () => {
  expect(describeVerdict(unread.status, unread, plain).split('\n')).toHaveLength(1 + bundleCheckNames.length)
})

it('shows only the message if no check started, as for a bundle that could not be fetched', () => {
  const checks = bundleCheckNames.map((name) => ({ name, result: 'not_checked' as const, detail: '' }))
  const shown = { ...unread, message: 'The bundle could not be fetched. Check its address.', checks }
  expect(describeVerdict('error', shown, plain)).toBe(
    'Could not be checked: The bundle could not be fetched. Check its address.',
  )
})

it('quotes the name in a certificate, which its signer chose', () => {
  const named = { identity: 'CN=Sigstore. Countersign checked it', issuer: null, repository: null, workflow: null }
  const shown = describeVerdict('verified', { ...unread, signer: { ...named, key_fingerprint: 'a'.repeat(64) } }, plain)
  expect(shown).toContain('someone certified by a declared authority: “CN=Sigstore. Countersign checked it”')
})

it('wraps long lines at the terminal width and indents the rest of a check', () => {
  const shown = {
    ...unread,
    message: 'word '.repeat(30).trim(),
    checks: [{ ...unread.checks[0], detail: 'word '.repeat(30).trim() }],
  }
  const lines = describeVerdict('error', shown as typeof unread, { ...plain, columns: 40 }).split('\n')
  expect(lines.filter((line) => line.length > 40)).toEqual([])
  expect(lines.filter((line) => line.startsWith('    word')).length).toBeGreaterThan(1)
})

it('exits 9 while a check is running, and as its verdict says after it', () => {
  const exitAfter = (
    verification_status: 'in_progress' | 'completed',
    bundle_status: 'verified' | 'invalid' | 'error',
    provider_domain_verified = true,
  ) => exitOfRecord({ verification_status, bundle_status, provider_domain_verified })
  expect([exitAfter('in_progress', 'verified'), exitAfter('in_progress', 'invalid')]).toEqual([9, 9])
  expect([
    exitAfter('completed', 'verified'),
    exitAfter('completed', 'invalid'),
    exitAfter('completed', 'error'),
  ]).toEqual([0, 3, 9])
  // Signed by someone unknown.
  expect(exitAfter('completed', 'verified', false)).toBe(3)
})

it('names no verdict while a check is running: it may be that of an earlier bundle', () => {
  const signed = { bundle_status: 'verified', provider_domain_verified: true } as const
  expect(stateOfBundle({ ...signed, verification_status: 'in_progress' })).toBe('being checked')
  expect(stateOfBundle({ ...signed, verification_status: 'completed' })).toBe('verified')
})
