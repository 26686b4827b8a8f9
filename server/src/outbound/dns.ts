import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'

/** The strings of the TXT records at a name; `undefined` where DNS could not be asked. */
export type ResolveTxt = (name: string) => Promise<string[] | undefined>

const absent = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

export const createResolveTxt = (servers: Config['devDnsServers']): ResolveTxt => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0)
    resolver.setServers(servers.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)))
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
