const zeros = (count: number) => Array.from({ length: Math.max(0, count) }, () => '0')

const ipv4Of = (address: string) => /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]

/**
 * The eight groups of an IPv6 address, lower case, without leading zeros. Written here and not taken from `ipaddr.js`: the peer's
 * addresses come from the socket or a trusted proxy and are valid, and two networks are all we need of them.
 */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const [front, back] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  return [...front, ...(tail === undefined ? [] : zeros(8 - front.length - back.length)), ...back].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}

/** An IPv4 address belongs to a person or a company; IPv6 addresses are assigned by the /64. */
export const networkOf = (address: string): string =>
  ipv4Of(address) ?? (address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address)

/** The network of one household or office: 24 bits of IPv4, 48 of IPv6, the most that one customer is assigned (RFC 6177 §2). */
export const householdOf = (address: string): string => {
  const ipv4 = ipv4Of(address)
  if (ipv4 !== undefined) return ipv4.slice(0, ipv4.lastIndexOf('.'))
  return [...groupsOf(address), ...zeros(3)].slice(0, 3).join(':')
}
