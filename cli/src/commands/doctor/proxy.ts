type Env = Readonly<Record<string, string | undefined>>

/** Whether a call goes through a proxy, by the client's own rules: the proxy for its protocol, and the exceptions in NO_PROXY. */
export const isProxied = (env: Env, url: string): boolean => {
  const { protocol, hostname, port } = new URL(url)
  const http = env.http_proxy || env.HTTP_PROXY
  const proxy = protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http
  if (!proxy) return false
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[,\s]/).filter((entry) => entry !== '')
  return !exceptions.some(
    (entry) => entry === '*' || fits(entry.toLowerCase(), hostname, port || (protocol === 'https:' ? '443' : '80')),
  )
}

const fits = (entry: string, hostname: string, port: string) => {
  const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const bare = name.replace(/^\*?\./, '')
  return hostname === bare || hostname.endsWith(`.${bare}`)
}
