import { describe, expect, it } from 'vitest'
import type { Verdict } from '../link/answer/verdict.ts'
import { chatPlaceOf, evaluateChallenge } from './outcome.ts'

const issued = '2026-11-20T10:00:00Z'
const requested = '2026-11-20T10:01:00Z'

const verdictOf = (state: Verdict['state'], challenge: string | null, isDomainVerified = true) =>
  ({
    state,
    domain: isDomainVerified ? 'acme.example' : null,
    reason: null,
    change: null,
    checks: [],
    record: {
      challenge,
      timestamp: issued,
      checked_at: requested,
    },
  }) as unknown as Verdict

const phrase = 'blue otter 421'

describe('a challenge', () => {
  it.each([
    { what: 'the phrase in a verified link', verdict: verdictOf('verified', 'Blue Otter 421'), kind: 'match' },
    {
      what: 'the phrase in a link whose server proved nothing',
      verdict: verdictOf('provider_only', phrase),
      kind: 'match-company',
    },
    {
      what: 'the phrase of a company that could not be confirmed recently',
      verdict: verdictOf('domain_stale', phrase),
      kind: 'match-unknown',
    },
    {
      what: 'the phrase of an unknown provider',
      verdict: verdictOf('provider_unverified', phrase, false),
      kind: 'match-unknown',
    },
    {
      what: 'a verified link without a proven domain',
      verdict: verdictOf('verified', phrase, false),
      kind: 'match-unknown',
    },
    { what: 'another phrase', verdict: verdictOf('verified', 'red fox 421'), kind: 'other' },
    { what: 'no phrase', verdict: verdictOf('verified', null), kind: 'none' },
    { what: 'the phrase in a link with a failed check', verdict: verdictOf('check_failed', phrase), kind: 'refused' },
    { what: 'the phrase in an expired link', verdict: verdictOf('expired', phrase), kind: 'refused' },
    { what: 'the phrase in a revoked link', verdict: verdictOf('revoked', phrase), kind: 'refused' },
    { what: 'no answer', verdict: { ...verdictOf('could_not_check', phrase), record: null }, kind: 'could-not-check' },
  ])('$what is $kind', ({ verdict, kind }) => {
    expect(evaluateChallenge(verdict, phrase, 120_000).kind).toBe(kind)
  })

  it('rejects a link that is older than the phrase', () => {
    expect(evaluateChallenge(verdictOf('verified', phrase), phrase, 50_000).kind).toBe('old')
    expect(evaluateChallenge(verdictOf('verified', phrase), phrase, 57_000).kind).toBe('match')
  })
})

describe('the address of the chat', () => {
  const origin = 'https://chat.acme.example'
  const placeOf = (of: object, isDomainVerified = true, challenge = phrase) => {
    const verdict = verdictOf('verified', challenge, isDomainVerified)
    const named = { ...verdict, record: { ...verdict.record, origin: null, ...of } } as unknown as Verdict
    return chatPlaceOf(evaluateChallenge(named, phrase, 120_000), named)
  }

  it('is what the link names', () => {
    expect(placeOf({ origin })).toEqual({ origin })
    expect(placeOf({})).toBeNull()
  })

  it('is lost if its domain is no longer proven', () => {
    expect(placeOf({ is_origin_lost: true })).toBe('lost')
  })

  it('counts only with the phrase, and from a known company', () => {
    expect(placeOf({ origin }, true, 'red fox 421')).toBeNull()
    expect(placeOf({ origin }, false)).toBeNull()
    expect(placeOf({ is_origin_lost: true }, false)).toBeNull()
  })
})
