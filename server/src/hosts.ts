const loopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackUrl = (url: string) => loopback.test(new URL(url).hostname)

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

export const isLoopbackHost = (host: string) => loopback.test(inUrl(host))

/** `localhost` may mean either address: if another program had the second one, it would get our requests. */
const otherLoopback: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' }

/** The other loopback address, on which the registry listens as well. */
export const otherLoopbackOf = (host: string): string | undefined => otherLoopback[host]

/** On loopback a name, because browsers do not bind passkeys to addresses. */
export const defaultPublicUrl = (host: string, port: number) =>
  `http://${otherLoopbackOf(host) === undefined ? inUrl(host) : 'localhost'}:${port}`
