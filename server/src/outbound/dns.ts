import { getServers, Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'

/** What one resolver says of the TXT records at a name, or at the name it is an alias for; `undefined`: it could not be asked. */
type TxtAnswer = { isAlias: boolean; records: string[] } | undefined

/** Asks every resolver about the TXT records at a name. One answer per resolver. */
export type ResolveTxt = (name: string) => Promise<readonly TxtAnswer[]>

const absent = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

/** No answer where DNS says that there is none; other failures stay failures. */
const orNone = <T>(asked: Promise<T[]>): Promise<T[]> =>
  asked.catch((error: NodeJS.ErrnoException) => {
    if (absent.has(error.code ?? '')) return []
    throw error
  })

type Servers = readonly { host: string; port: number }[]

const createResolver = (servers: readonly string[]) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

const addressOf = ({ host, port }: Servers[number]) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)

/** All addresses of a name, IPv4 before IPv6. Rejects where DNS could not be asked for either. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>

/** Asks DNS itself: a name service of the operating system would hold a thread that hashing passwords needs. */
export const createResolveAddresses = (servers: Config['dnsServers'] = []): ResolveAddresses => {
  const resolver = createResolver(servers.map(addressOf))
  return async (name) => {
    const answers = await Promise.allSettled([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
    if (answers.every(({ status }) => status === 'rejected')) throw new Error('DNS could not be asked')
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** The resolvers that are asked where none are set: those of the system, each by itself. */
const systemResolvers = (): readonly string[] => [...new Set(getServers())]

/**
 * Each resolver is asked by itself, so that one that was poisoned or hijacked is noticed. The alias is asked for apart from
 * the records, because a resolver follows it: if that question fails, nobody knows whose records the others are.
 */
export const createResolveTxt = (servers: Config['dnsServers']): ResolveTxt => {
  const addresses = servers.length > 0 ? servers.map(addressOf) : systemResolvers()
  const resolvers = addresses.map((address) => createResolver([address]))

  const ask = async (resolver: Resolver, name: string): Promise<TxtAnswer> => {
    try {
      const aliases = await orNone(resolver.resolveCname(name))
      const records = await orNone(resolver.resolveTxt(name))
      // RFC 1035 §3.3.14: one record is one or more strings of 255 bytes.
      return { isAlias: aliases.length > 0, records: records.map((strings) => strings.join('')) }
    } catch {
      return undefined
    }
  }

  return (name) => Promise.all(resolvers.map((resolver) => ask(resolver, name)))
}
