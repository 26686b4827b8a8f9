import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'

/** The strings of the TXT records at a name; `undefined` where DNS could not be asked. */
export type ResolveTxt = (name: string) => Promise<string[] | undefined>

const absent = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

const createResolver = (servers: Config['devDnsServers']) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0)
    resolver.setServers(servers.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)))
  return resolver
}

/** All addresses of a name, IPv4 before IPv6. Rejects where DNS could not be asked for either. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>

/** Asks DNS itself: a name service of the operating system would hold a thread that hashing passwords needs. */
export const createResolveAddresses = (servers: Config['devDnsServers'] = []): ResolveAddresses => {
  const resolver = createResolver(servers)
  const orNone = (asked: Promise<string[]>) =>
    asked.catch((error) => {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    })
  return async (name) => {
    const answers = await Promise.allSettled([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
    if (answers.every(({ status }) => status === 'rejected')) throw new Error('DNS could not be asked')
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

export const createResolveTxt = (servers: Config['devDnsServers']): ResolveTxt => {
  const resolver = createResolver(servers)
  /** A name that is an alias belongs to whoever has the other name. */
  const isAlias = (name: string) =>
    resolver.resolveCname(name).then(
      (names) => names.length > 0,
      () => false,
    )

  return async (name) => {
    try {
      if (await isAlias(name)) return []
      const records = await resolver.resolveTxt(name)
      // RFC 1035 §3.3.14: one record is one or more strings of 255 bytes.
      return records.map((strings) => strings.join(''))
    } catch (error) {
      return absent.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined
    }
  }
}
