import { describe, expect, it } from 'vitest'
import type { VerificationResult } from '../contract/verifications.ts'
import { vectors } from '../testing/vectors.ts'
import { outcomeOf, readVerdict } from './verdict.ts'

const { issuer, link, cases } = vectors.verdicts

const timeOf = (answer: unknown) =>
  Date.parse(typeof answer === 'object' && answer !== null && 'checked_at' in answer ? String(answer.checked_at) : '')
const answerOf = (name: string) => cases.find((vector) => vector.name === name)?.answer as VerificationResult

describe('readVerdict', () => {
  it.each(cases)('reads: $name', ({ answer, elapsed_ms, expect: expected }) => {
    const verdict = readVerdict(answer, { issuer, link, at: timeOf(answer) + elapsed_ms })
    const { provider, server, model_file } = verdict.steps
    expect({
      ...verdict,
      steps: { provider: provider.state, server: server.state, model_file: model_file.state },
    }).toMatchObject(expected)
    const isShown = verdict.result === 'verified' || verdict.outcome === 'provider_unverified'
    if (!isShown) for (const step of [provider, server, model_file]) expect(step.words).toBe('not_checked')
    expect(verdict.reason === null).toBe(verdict.result === 'verified')
    expect(verdict.doubt === null).toBe(verdict.result !== 'unknown')
    if (verdict.result === 'unknown') expect(verdict).toMatchObject({ record: null, checks: [], domain: null })
    if (verdict.record === null) expect(verdict.checks.filter(({ passed }) => passed)).toEqual([])
  })

  it('has a case for each row of its table', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    const outcomes = new Set(cases.map(({ expect: { outcome } }) => outcome))
    expect(outcomes.size).toBe(15)
  })

  it('treats an unreadable reading time as expired', () => {
    const answer = answerOf('company and server proven by mutual TLS')
    expect(readVerdict(answer, { issuer, at: Number.NaN })).toMatchObject({
      result: 'not_verified',
      outcome: 'expired',
    })
  })

  it('ignores any path after the issuer’s origin', () => {
    const answer = answerOf('company and server proven by mutual TLS')
    expect(readVerdict(answer, { issuer: `${issuer}/`, at: timeOf(answer) }).result).toBe('verified')
    expect(readVerdict(answer, { issuer: 'no address', at: timeOf(answer) }).result).toBe('unknown')
  })

  it('accepts an answer only for the requested link: by its code, or by the ID in its token', () => {
    const answer = answerOf('company and server proven by mutual TLS')
    const read = (asked: string | undefined) => readVerdict(answer, { issuer, at: timeOf(answer), link: asked })
    for (const asked of [undefined, link, answer.verification_id]) expect(read(asked).result).toBe('verified')
    for (const asked of ['', '0D9Y-CNR7-ZBR6-1Q5S', 'vrf_06dh0e3x7c9bw4vjz2n8qk5yt9', answer.provider?.id])
      expect(read(asked)).toMatchObject({ result: 'unknown', doubt: 'other_link' })
  })

  it('accepts a domain of another script in ASCII, and a chat on this machine', () => {
    const answer = answerOf('company and server proven by mutual TLS')
    const of = (changes: object) => readVerdict({ ...answer, ...changes }, { issuer, at: timeOf(answer) })
    const domain = 'xn--bcher-kva.example'
    expect(of({ provider: { ...answer.provider, domain } })).toMatchObject({ result: 'verified', domain })
    for (const origin of ['http://localhost:5173', 'http://[::1]:5173', 'http://chat.localhost'])
      expect(of({ origin }).result).toBe('verified')
  })

  it('does not change the answer', () => {
    const answer = answerOf('company and server proven by mutual TLS')
    const before = structuredClone(answer)
    expect(readVerdict(answer, { issuer, at: Date.parse(answer.expires_at) }).checks).toContainEqual(
      expect.objectContaining({ check: 'time', passed: false }),
    )
    expect(answer).toEqual(before)
  })

  it('gives an entry of a list the verdict of the full record, as far as its fields allow', () => {
    for (const { name, answer, elapsed_ms, expect: expected } of cases) {
      const row = answer as VerificationResult
      if (expected.result === 'unknown' || expected.outcome === 'check_failed' || row.expires_at === undefined) continue
      expect(outcomeOf(row, timeOf(answer) + elapsed_ms), name).toBe(expected.outcome)
    }
  })
})

it.each([
  { bundle_status: 'unknown', reason: 'signer_not_tied', words: 'file_signed_by_other' },
  { bundle_status: 'unknown', reason: 'attestation_only', words: 'file_digest' },
  { bundle_status: 'unknown', reason: 'names_not_signed', words: 'file_digest' },
  { bundle_status: 'unknown', reason: 'signer_not_declared', words: 'file_digest' },
  { bundle_status: 'error', reason: 'check_failed', words: 'file_digest' },
])('says of a bundle that is $bundle_status with $reason and names its signer: $words', (bundle) => {
  const { bundle_status, reason, words } = bundle
  const record = vectors.verdicts.cases[0]?.answer as VerificationResult
  const checks = record.checks.map((check) => (check.check === 'bundle' ? { ...check, passed: null } : check))
  const bundle_verification_details = { reason, signer_tied: reason === 'signer_not_tied' ? false : null }
  const answer = { ...record, checks, model: { ...record.model, bundle_status, bundle_verification_details } }
  const { steps } = readVerdict(answer, { issuer: record.issuer, at: Date.parse(record.checked_at) })
  expect(steps.model_file).toMatchObject({ state: 'stated', words })
})
