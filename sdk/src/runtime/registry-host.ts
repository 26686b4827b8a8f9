import { fold } from './fold.ts'
import { decodePunycode } from './punycode.ts'

/** Where a host name stands in a text, whether as itself or in disguise. */
export interface HostFinding {
  start: number
  end: number
}

export interface RegistryHosts {
  /** The places of a folded text, in lower case, that read as a host of the registry; in order. */
  findIn(lower: string): readonly HostFinding[]
}

/** Letters that people take for one another. */
const skeletonOf = (lower: string) => lower.replace(/0/g, 'o').replace(/[1i|]/g, 'l')

const pairs: Readonly<Record<string, string>> = { m: '(?:m|rn)', w: '(?:w|vv)', d: '(?:d|cl)', '.': '(?:\\\\?\\.|。)' }

const patternOf = (host: string) =>
  Array.from(skeletonOf(host), (character) => pairs[character] ?? character.replace(/[^a-z0-9]/g, '\\$&')).join('')

/** `registry.example`, `registry.example:8443` or the address of a registry: the host, with its port where it is given one. */
const readHost = (given: string): string => {
  const address = given.includes('://') ? given : `https://${given}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || url.host === '' || url.username !== '')
    throw new TypeError('host must be a host name, or the address of your registry')
  return url.host
}

const withUnicodeLabels = (host: string) => host.replace(/xn--([a-z0-9-]+)/g, (whole, label: string) => decodePunycode(label) ?? whole)

/** Finds mentions of a registry's hosts in folded text. Throws TypeError for what is no host. */
export const createRegistryHosts = (given: string | readonly string[]): RegistryHosts => {
  const hosts = [given].flat().map(readHost)
  if (hosts.length === 0) throw new TypeError('host must be a host name, or the address of your registry')
  const spellings = new Set(hosts.flatMap((host) => [host, fold(withUnicodeLabels(host)).lower]))
  const alternatives = [...spellings].map(patternOf).join('|')
  const name = `(?<![a-z0-9-])(?:${alternatives})(?![a-z0-9-])`
  const pattern = new RegExp(name, 'g')
  const once = new RegExp(name)
  const encoded = /(?<![a-z0-9.-])[a-z0-9.-]*xn--[a-z0-9.-]*[a-z0-9]/g

  const isShown = (encodedName: string) => once.test(skeletonOf(fold(withUnicodeLabels(encodedName)).lower))

  return {
    findIn: (lower) => {
      const plain = Array.from(skeletonOf(lower).matchAll(pattern), placeOf)
      if (!lower.includes('xn--')) return plain
      const disguised = Array.from(lower.matchAll(encoded)).filter(([name]) => isShown(name))
      return [...plain, ...disguised.map(placeOf)].sort((left, right) => left.start - right.start)
    },
  }
}

const placeOf = (match: RegExpExecArray): HostFinding => ({ start: match.index, end: match.index + match[0].length })
