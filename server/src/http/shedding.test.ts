import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { kindOf, nextShares } from './shedding.ts'

const calm = { utilization: 0.5, delayMs: 5 }
const busy = { utilization: 0.9, delayMs: 50 }
const drowning = { utilization: 1, delayMs: 3_000 }

describe('the share that is turned away', () => {
  it.each([
    { name: 'nobody while there is time', shares: { reads: 0, verify: 0 }, load: calm, next: { reads: 0, verify: 0 } },
    {
      name: 'nobody at four fifths',
      shares: { reads: 0, verify: 0 },
      load: { utilization: 0.8, delayMs: 5 },
      next: { reads: 0, verify: 0 },
    },
    { name: 'a quarter of the reads above', shares: { reads: 0, verify: 0 }, load: busy, next: { reads: 0.25, verify: 0 } },
    { name: 'all reads in the end', shares: { reads: 0.75, verify: 0 }, load: busy, next: { reads: 1, verify: 0 } },
    { name: 'no verifying while it is answered in time', shares: { reads: 1, verify: 0 }, load: busy, next: { reads: 1, verify: 0 } },
    { name: 'no verifying before the reads', shares: { reads: 0.75, verify: 0 }, load: drowning, next: { reads: 1, verify: 0 } },
    { name: 'some verifying once nothing else is left', shares: { reads: 1, verify: 0 }, load: drowning, next: { reads: 1, verify: 0.1 } },
    { name: 'fewer as it gets calm, verifying first', shares: { reads: 1, verify: 0.4 }, load: calm, next: { reads: 0.9, verify: 0.15 } },
    { name: 'nobody in the end', shares: { reads: 0.1, verify: 0.1 }, load: calm, next: { reads: 0, verify: 0 } },
  ])('is of $name', ({ shares, load, next }) => {
    expect(nextShares(shares, load)).toEqual(next)
  })
})

describe('what may be turned away', () => {
  const endpoints = Object.values(contract).flatMap((feature) => Object.values<Endpoint>(feature))

  it('is what strangers read, and nothing that an owner asks or that changes something', () => {
    const reads = endpoints.filter((endpoint) => kindOf(endpoint) === 'reads')
    expect(reads.length).toBeGreaterThan(5)
    for (const { method, caller } of reads)
      expect({ method, caller }).toEqual({ method: 'GET', caller: expect.not.stringMatching('provider') })
  })

  it('last of all is what checks a link', () => {
    expect(endpoints.filter((endpoint) => kindOf(endpoint) === 'verify').map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/verify/:token',
      'POST /api/v1/verify/:token/opened',
      'GET /api/v1/jwt/verify/:token',
      'GET /.well-known/jwks.json',
    ])
  })
})
