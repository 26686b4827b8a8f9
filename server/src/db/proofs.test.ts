import { describe, expect, it } from 'vitest'
import { proofAt } from './proofs.ts'

describe('a proof that no job has checked', () => {
  const hour = 3_600_000
  it.each([
    {
      name: 'is proven for two days',
      hours: 48,
      stale_since: null,
      shown: { verified_at: 0, stale_since: null, lost_at: null },
    },
    {
      name: 'is stale after them',
      hours: 49,
      stale_since: null,
      shown: { verified_at: 0, stale_since: 48 * hour, lost_at: null },
    },
    {
      name: 'is lost three days later',
      hours: 120,
      stale_since: null,
      shown: { verified_at: null, stale_since: null, lost_at: 120 * hour },
    },
    {
      name: 'is lost three days after it was stale',
      hours: 97,
      stale_since: 24 * hour,
      shown: { verified_at: null, stale_since: null, lost_at: 96 * hour },
    },
  ])('$name', ({ hours, stale_since, shown }) => {
    expect(proofAt({ verified_at: 0, checked_at: 0, stale_since }, hours * hour)).toEqual(shown)
  })

  it('counts from the first proof if no check is recorded', () => {
    expect(proofAt({ verified_at: 0, checked_at: null, stale_since: null }, 49 * hour)).toMatchObject({
      stale_since: 48 * hour,
    })
  })

  it('says nothing about a domain that was never proven', () => {
    expect(proofAt({ verified_at: null, checked_at: 0, stale_since: null }, 500 * hour)).toEqual({
      verified_at: null,
      stale_since: null,
      lost_at: null,
    })
  })
})
