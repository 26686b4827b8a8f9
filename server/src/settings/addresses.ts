import { isIP } from 'node:net'
import { port } from './setting.ts'

export const addressAndPort = (text: string) => {
  const [, host = '', digits = ''] = /^\[?([0-9a-fA-F:.]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  return isIP(host) && port(digits) !== undefined ? { host, port: Number(digits), text } : undefined
}

/** `192.0.2.53`, or `192.0.2.53:5353`. */
export const resolver = (text: string) =>
  addressAndPort(text) ?? (isIP(text) ? { host: text, port: 53, text } : undefined)

/** `127.0.0.1:8080`, or `acme.example=127.0.0.1:8080` to map a name to that address. */
export const egressException = (text: string) => {
  const [, name, address = ''] = /^(?:([a-z0-9.-]+)=)?(.+)$/.exec(text) ?? []
  const found = addressAndPort(address)
  return found && { name: name ?? null, host: found.host, port: found.port }
}

export const subnet = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0) return undefined
  const widest = family === 4 ? 32 : 128
  // An empty number of bits would mean 0: every address.
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  return rest.length === 0 && prefix >= 0 && prefix <= widest
    ? { address, prefix, family: family === 4 ? ('ipv4' as const) : ('ipv6' as const) }
    : undefined
}
