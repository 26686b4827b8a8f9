import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { limitedRows, networkOf, signInPages } from './rate-rules.ts'

describe('the network that is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

it('every limit is of a row that there is', () => {
  const known = Object.values(contract).flatMap((rows) => Object.values<Endpoint>(rows).map(({ method, path }) => `${method} ${path}`))
  expect(limitedRows.filter((row) => !known.includes(row))).toEqual([signInPages])
})
