import { getServers, Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'

/** One resolver's answer for the TXT records at a name, or at the name it is an alias for; `undefined` if it did not answer. */
type TxtAnswer = { isAlias: boolean; records: string[] } | undefined

/** Queries every resolver for the TXT records at a name. One answer per resolver. */
export type ResolveTxt = (name: string) => Promise<readonly TxtAnswer[]>

const absent = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

/** Undefined if DNS says that there is no record; other failures are thrown. */
const orNone = <T>(lookup: Promise<T[]>): Promise<T[]> =>
  lookup.catch((error: NodeJS.ErrnoException) => {
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

/** All addresses of a name, IPv4 before IPv6. Rejects if both DNS queries failed. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>

/** Uses DNS directly: the operating system's name service would occupy a thread that reading files needs. */
export const createResolveAddresses = (servers: Config['dnsServers'] = []): ResolveAddresses => {
  const resolver = createResolver(servers.map(addressOf))
  return async (name) => {
    const answers = await Promise.allSettled([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
    if (answers.every(({ status }) => status === 'rejected')) throw new Error('DNS did not answer')
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** The default resolvers: those of the system, each on its own. */
const systemResolvers = (): readonly string[] => [...new Set(getServers())]

/**
 * Each resolver is queried separately, so that a poisoned or hijacked one is noticed. The alias is queried separately from the records,
 * because a resolver follows it: if that query fails, the origin of the records is unknown.
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
