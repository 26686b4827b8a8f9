import { must } from '../verify/refuse-unknown.ts'
import { lookOf } from './find-parts.ts'
import { fold } from './fold.ts'
import { decodePunycode } from './punycode.ts'

/** The position of a host name in a text, plain or disguised. */
export interface HostFinding {
  start: number
  end: number
}

export interface RegistryHosts {
  /**
   * The positions in a folded, lower-case text that read as a host of the registry, in order. `isBehindInvisible`: whether
   * folding dropped something before a position. Programs may show it, so it may end a name.
   */
  findIn(lower: string, isBehindInvisible?: (at: number) => boolean): readonly HostFinding[]
  /** Whether a mention is spelled like a host, in upper or lower case, without a disguise. */
  isPlain(mention: string): boolean
  /** The names of the hosts, for `readParts`. */
  names: readonly string[]
}

/** Letters that look alike, except the vertical bar, which may also end a name. */
const skeletonOf = (lower: string) => lower.replace(/0/g, 'o').replace(/[1i]/g, 'l')

const pairs: Readonly<Record<string, string>> = {
  l: '[l|]',
  m: '(?:m|rn)',
  w: '(?:w|vv)',
  d: '(?:d|cl)',
  '.': '(?:\\\\?\\.|。)',
  '-': '\\\\?-',
}

const patternOf = (host: string) =>
  Array.from(skeletonOf(host), (character) => pairs[character] ?? character.replace(/[^a-z0-9]/g, '\\$&')).join('')

interface Host {
  name: string
  /** Empty to accept any. */
  port: string
}

const mustBeHost: (fits: unknown) => asserts fits = (fits) =>
  must(fits, 'guardOutput', 'host', 'the registry’s host or address')

const usualPorts = ['80', '443']

/** `registry.example`, `registry.example:8443` or the address of a registry. */
const readHost = (given: string): Host => {
  const address = given.includes('://') ? given : `https://${given}`
  const url = URL.parse(address)
  mustBeHost(url?.host && url.username === '')
  return { name: nameOf(url), port: usualPorts.includes(url.port) ? '' : url.port }
}

/** The alternative spelling of an IPv4 address as IPv6. */
const nameOf = ({ hostname }: URL) => {
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname.replace(/\.$/, '')
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

const withUnicodeLabels = (host: string) =>
  host.replace(/xn--([a-z0-9-]+)/g, (whole, label: string) => decodePunycode(label) ?? whole)

/** As shown in text that runs from right to left. */
const reverse = (text: string) => Array.from(text).reverse().join('')

/** Finds mentions of a registry's hosts in folded text. Throws TypeError for an invalid host. */
export const createRegistryHosts = (given: string | readonly string[]): RegistryHosts => {
  const hosts = [given].flat().map(readHost)
  mustBeHost(hosts.length > 0)
  const spellings = hosts.flatMap(({ name, port }) =>
    [...new Set([name, fold(withUnicodeLabels(name)).lower].flatMap((spelled) => [spelled, reverse(spelled)]))].map(
      (spelled) => ({
        name: lookOf(spelled),
        spelled: patternOf(spelled),
        port: portPattern(port),
      }),
    ),
  )
  const patterns = spellings.map(({ spelled, port }) => new RegExp(spelled + port, 'g'))
  const once = new RegExp(`(?<![a-z0-9-])(?:${spellings.map(({ spelled }) => spelled).join('|')})(?![a-z0-9])`)
  const plainNames = new Set(hosts.flatMap(({ name }) => ['', name, withUnicodeLabels(name)]))
  const encoded = /(?<![a-z0-9.-])[a-z0-9.-]*xn--[a-z0-9.-]*[a-z0-9]/g

  const isOurs = (authority: string) => {
    const address = `http://${authority}`
    const url = URL.parse(address)
    return url !== null && hosts.some(({ name, port }) => nameOf(url) === name && (port === '' || url.port === port))
  }

  /** Numbers that browsers read as the same address (URL §3.5). */
  const findInNumbers = (lower: string) =>
    Array.from(lower.matchAll(numbers), ({ 0: whole, 1: authority = '', index }) => {
      const end = index + whole.length
      return isOurs(authority) ? [{ start: end - authority.length, end }] : []
    }).flat()

  const isShown = (encodedName: string) => once.test(skeletonOf(fold(withUnicodeLabels(encodedName)).lower))

  const findWhole = (skeleton: string, pattern: RegExp, isBehindInvisible: (at: number) => boolean) => {
    const found: HostFinding[] = []
    for (let match = pattern.exec(skeleton); match; match = pattern.exec(skeleton)) {
      const place = placeOf(match)
      const isInWord = (sign: RegExp, at: number) => sign.test(skeleton[at] ?? ' ')
      if (
        (isInWord(/[a-z0-9-]/, place.start - 1) && !isBehindInvisible(place.start)) ||
        (isInWord(/[a-z0-9]/, place.end) && !isBehindInvisible(place.end))
      )
        pattern.lastIndex = place.start + 1
      else found.push(place)
    }
    return found
  }

  return {
    names: spellings.map(({ name }) => name),
    isPlain: (mention) => plainNames.has(mention.toLowerCase().replace(/\.?(?::\d+)?$/, '')),
    findIn: (lower, isBehindInvisible = () => false) => {
      const skeleton = skeletonOf(lower)
      const whole = patterns.flatMap((pattern) => findWhole(skeleton, pattern, isBehindInvisible))
      const disguised = lower.includes('xn--')
        ? Array.from(lower.matchAll(encoded)).filter(([name]) => isShown(name))
        : []
      const numeric = findInNumbers(lower)
      return [...whole, ...disguised.map(placeOf), ...numeric].sort((left, right) => left.start - right.start)
    },
  }
}

/** Ignore a full stop after a name, and leading zeros of a port. */
const portPattern = (port: string) => (port === '' ? '' : `\\.?:[o0]*${skeletonOf(port)}`)

/** A numeric host or one in brackets, after the beginning of an address and perhaps a user name. */
const numbers =
  /(?:https?:[\\/]*|(?<![\\/])[\\/]{2,}|@)((?:\[[0-9a-f:.]{2,48}\]|(?:0x[0-9a-f]{0,64}|\d{1,64})(?:\.(?:0x[0-9a-f]{0,64}|\d{1,64})){0,3}\.?)(?::\d{1,64})?)/g

const placeOf = (match: RegExpExecArray): HostFinding => ({ start: match.index, end: match.index + match[0].length })
