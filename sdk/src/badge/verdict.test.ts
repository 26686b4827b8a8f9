import { describe, expect, it } from 'vitest'
import type { VerificationResult } from '../contract/verifications.ts'
import { vectors } from '../testing/vectors.ts'
import { badgeOf } from './verdict.ts'
import { textOf } from './words.ts'

const pageOrigin = 'https://chat.acme.example'
const { issuer: registry, link, cases } = vectors.verdicts
const good = cases[0]?.answer as VerificationResult
const here = { registry, link, pageOrigin, elapsedMs: 0, nowMs: Date.parse(good.checked_at) }

describe('a badge', () => {
  it.each(cases)('shows what readVerdict decides: $name', ({ answer, elapsed_ms, expect: { result, outcome } }) => {
    const badge = badgeOf(answer, { ...here, elapsedMs: elapsed_ms })
    expect(badge.state === 'verified').toBe(outcome === 'verified')
    expect(badge.state === 'company-only').toBe(outcome === 'provider_only')
    expect(badge.state === 'could-not-check').toBe(result === 'unknown')
    if (badge.state === 'not-verified') expect(badge.why).toBe(outcome)
    const { headline, rest } = textOf(badge, 'registry.example', 60_000)
    expect(`${headline} ${rest}`).not.toMatch(/undefined|null/)
    expect(headline === 'acme.example').toBe(result === 'verified')
    expect(rest.startsWith('verified by')).toBe(outcome === 'verified')
  })

  it.each([
    { name: 'from last year', offMs: 31_536_000_000, state: 'could-not-check' },
    { name: 'from the future', offMs: -3_600_000, state: 'could-not-check' },
    { name: 'from four minutes ago', offMs: 240_000, state: 'verified' },
  ])('rejects an answer with a wrong date: $name', ({ offMs, state }) => {
    expect(badgeOf(good, { ...here, nowMs: here.nowMs + offMs }).state).toBe(state)
  })

  it('rejects a link on every site if its own site’s domain is no longer proven', () => {
    expect(badgeOf({ ...good, origin: null, is_origin_lost: true }, here)).toEqual({
      state: 'not-verified',
      why: 'elsewhere',
      code: good.link_code,
    })
  })

  it('does not verify a link made for another site', () => {
    expect(badgeOf({ ...good, origin: pageOrigin }, here).state).toBe('verified')
    for (const origin of [
      'https://elsewhere.example',
      `${pageOrigin}.evil.example`,
      `${pageOrigin}:8443`,
      'https://chat.acme.exampl',
      'https://acme.example',
    ])
      expect(badgeOf({ ...good, origin }, here)).toEqual({
        state: 'not-verified',
        why: 'elsewhere',
        madeFor: origin,
        code: good.link_code,
      })
  })
})
