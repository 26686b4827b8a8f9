import { contract, type Endpoint } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { networkOf } from '../networks.ts'
import {
  delayAfterMs,
  describeRules,
  limitedEndpoints,
  phaseOf,
  rulesOf,
  signInPages,
  widerNetworks,
} from './rate-rules.ts'

describe('the network that is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
    ['2001::2:3:4:5:6:7', '2001:0:2:3::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

it.each([
  ['192.0.2.7', ['192.0.2.0/24']],
  ['2001:db8:1:2::/64', ['2001:db8:1:0000::/56', '2001:db8:1::/48']],
  ['2001:db8:1:ab12::/64', ['2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['key_1', []],
])('around %s are %j', (network, wider) => {
  expect(widerNetworks(network).map(({ network }) => network)).toEqual(wider)
})

it.each([
  ['POST', '/api/v1/create-verification', { links: 'early', 'links-provider': 'early' }],
  ['POST', '/api/v1/providers/register', { register: 'checked early, counted late' }],
  ['POST', '/api/v1/auth/email/login', { login: 'early', 'login-address': 'late' }],
])('counts %s %s in these phases: %j', (method, path, phases) => {
  expect(Object.fromEntries(rulesOf({ method, path }).map((rule) => [rule.name, phaseOf(rule)]))).toEqual(phases)
})

it('every limit names existing endpoints', () => {
  const known = Object.values(contract).flatMap((endpoints) =>
    Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${path}`),
  )
  expect(limitedEndpoints.filter((endpoint) => !known.includes(endpoint))).toEqual([signInPages])
})

it('every limit says whose requests it counts together', () => {
  for (const { rule, of } of describeRules()) expect(of, rule.name).not.toBe('')
})

it('limits with one name are one limit', () => {
  const sizes = new Map<string, string>()
  for (const endpoint of limitedEndpoints) {
    const [method = '', path = ''] = endpoint.split(' ')
    for (const { name, ...size } of rulesOf({ method, path })) {
      expect(sizes.get(name) ?? JSON.stringify(size), name).toBe(JSON.stringify(size))
      sizes.set(name, JSON.stringify(size))
    }
  }
})

it.each([
  [0, 0],
  [9, 0],
  [10, 1_000],
  [11, 2_000],
  [14, 16_000],
  [15, 30_000],
  [5_000, 30_000],
])('delays the next attempt after %d wrong passwords by %d ms', (failures, ms) => {
  expect(delayAfterMs(failures, 30_000)).toBe(ms)
})
