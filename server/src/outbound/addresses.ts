import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Addresses that no request may reach: what the IANA IPv4 Special-Purpose Address Registry does not call globally reachable, multicast, and addresses
 * of cloud services in public ranges that are internal in practice.
 */
const closedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
]

/** The blocks of the IANA IPv6 Special-Purpose Address Registry within global unicast (2000::/3), which alone is allowed. */
const closedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const listOf = (subnets: readonly string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const closed = listOf(closedIpv4, 'ipv4')
const global = listOf(['2000::/3'], 'ipv6')
const closedInGlobal = listOf(closedIpv6, 'ipv6')

/** Whether an address belongs to the public internet. Addresses with a zone, and IPv4-mapped ones, do not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return global.check(address, 'ipv6') && !closedInGlobal.check(address, 'ipv6')
}
