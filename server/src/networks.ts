const ipv4Of = (address: string) =>
  address.includes('.') ? /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] : undefined

/**
 * The first groups of an IPv6 address, lower case, without leading zeros. Written here and not taken from `ipaddr.js`: the peer's
 * addresses come from the socket or a trusted proxy and are valid, and two networks are all we need of them.
 */
const groupsOf = (address: string, count: number): string => {
  const [front = [], back = []] = address.split('::', 2).map((part) => part.split(':'))
  const groupAt = (index: number) => front[index] || back[index - 8 + back.length] || '0'
  return Array.from({ length: count }, (_, index) =>
    groupAt(index)
      .toLowerCase()
      .replace(/^0+(?=.)/, ''),
  ).join(':')
}

/** An IPv4 address belongs to a person or a company; IPv6 addresses are assigned by the /64. */
export const networkOf = (address: string): string =>
  ipv4Of(address) ?? (address.includes(':') ? `${groupsOf(address, 4)}::/64` : address)

/** The network of one household or office: 24 bits of IPv4, 48 of IPv6, the most that one customer is assigned (RFC 6177 §2). */
export const householdOf = (address: string): string => {
  const ipv4 = ipv4Of(address)
  return ipv4 === undefined ? groupsOf(address, 3) : ipv4.slice(0, ipv4.lastIndexOf('.'))
}
