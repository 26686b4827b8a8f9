import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { kindOf, nextShares } from './shedding.ts'

const calm = { utilization: 0.5, delayMs: 5 }
const busy = { utilization: 0.9, delayMs: 50 }
const drowning = { utilization: 1, delayMs: 3_000 }

describe('the fraction that is rejected', () => {
  it.each([
    { name: 'zero while there is time', shares: { reads: 0, verify: 0 }, load: calm, next: { reads: 0, verify: 0 } },
    {
      name: 'zero at four fifths',
      shares: { reads: 0, verify: 0 },
      load: { utilization: 0.8, delayMs: 5 },
      next: { reads: 0, verify: 0 },
    },
    {
      name: 'a quarter of the reads above that',
      shares: { reads: 0, verify: 0 },
      load: busy,
      next: { reads: 0.25, verify: 0 },
    },
    { name: 'all reads in the end', shares: { reads: 0.75, verify: 0 }, load: busy, next: { reads: 1, verify: 0 } },
    {
      name: 'no verification while it is answered in time',
      shares: { reads: 1, verify: 0 },
      load: busy,
      next: { reads: 1, verify: 0 },
    },
    {
      name: 'no verification before the reads',
      shares: { reads: 0.75, verify: 0 },
      load: drowning,
      next: { reads: 1, verify: 0 },
    },
    {
      name: 'some verifications once all else is rejected',
      shares: { reads: 1, verify: 0 },
      load: drowning,
      next: { reads: 1, verify: 0.1 },
    },
    {
      name: 'shrinks as load falls, verifications first',
      shares: { reads: 1, verify: 0.4 },
      load: calm,
      next: { reads: 0.9, verify: 0.15 },
    },
    {
      name: 'returns to zero when calm',
      shares: { reads: 0.1, verify: 0.1 },
      load: calm,
      next: { reads: 0, verify: 0 },
    },
  ])('is right: $name', ({ shares, load, next }) => {
    expect(nextShares(shares, load)).toEqual(next)
  })
})

describe('requests that may be rejected', () => {
  const endpoints = Object.values(contract).flatMap((feature) => Object.values<Endpoint>(feature))

  it('are public reads, never those of an owner or those that change something', () => {
    const reads = endpoints.filter((endpoint) => kindOf(endpoint) === 'reads')
    expect(reads.length).toBeGreaterThan(5)
    for (const { method, caller } of reads)
      expect({ method, caller }).toEqual({ method: 'GET', caller: expect.not.stringMatching('provider') })
  })

  it('include the check of a link only at full load', () => {
    expect(
      endpoints.filter((endpoint) => kindOf(endpoint) === 'verify').map(({ method, path }) => `${method} ${path}`),
    ).toEqual([
      'GET /api/v1/verify/:token',
      'POST /api/v1/verify/:token/opened',
      'GET /api/v1/jwt/verify/:token',
      'GET /.well-known/jwks.json',
    ])
  })
})
