import { describe, expect, it } from 'vitest'
import { proofAt } from './proofs.ts'

describe('a proof that no job has looked at', () => {
  const hour = 3_600_000
  it.each([
    { name: 'is proven for two days', hours: 48, stale_since: null, shown: { verified_at: 0, stale_since: null } },
    { name: 'is stale after them', hours: 49, stale_since: null, shown: { verified_at: 0, stale_since: 48 * hour } },
    { name: 'is lost three days later', hours: 120, stale_since: null, shown: { verified_at: null, stale_since: null } },
    { name: 'is lost three days after it was stale', hours: 96, stale_since: 24 * hour, shown: { verified_at: null, stale_since: null } },
  ])('$name', ({ hours, stale_since, shown }) => {
    expect(proofAt({ verified_at: 0, checked_at: 0, stale_since }, hours * hour)).toEqual(shown)
  })
})
