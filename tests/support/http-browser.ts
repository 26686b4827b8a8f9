/** One response, before the browser acts on it. */
export interface Visit {
  url: URL
  status: number
  headers: Headers
  text: string
  /** The target of a redirect. */
  next: URL | undefined
}

const maxSteps = 20

/**
 * A browser without a screen: it keeps cookies and follows redirects. Like real ones, it stores cookies per host name
 * for any port, and treats 127.0.0.1 as secure for `Secure`.
 */
export const createHttpBrowser = () => {
  const jars = new Map<string, Map<string, { value: string; path: string }>>()

  const jarOf = ({ hostname }: URL) => {
    const jar = jars.get(hostname) ?? new Map<string, { value: string; path: string }>()
    jars.set(hostname, jar)
    return jar
  }

  const keep = (url: URL, line: string) => {
    const [pair = '', ...attributes] = line.split(/; */)
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const given = Object.fromEntries(
      attributes.map((attribute) => {
        const [key = '', text = ''] = attribute.split(/=(.*)/s)
        return [key.toLowerCase(), text]
      }),
    )
    const isOver = given['max-age'] === '0' || (given.expires !== undefined && Date.parse(given.expires) <= Date.now())
    if (isOver) jarOf(url).delete(name)
    else jarOf(url).set(name, { value, path: given.path ?? '/' })
  }

  /** One request; redirects are returned, not followed. */
  const visit = async (address: string | URL, init: RequestInit = {}): Promise<Visit> => {
    const url = new URL(address)
    const cookies = [...jarOf(url)]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
    const headers = {
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      'user-agent': 'Mozilla/5.0 (Test)',
      ...init.headers,
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(url, line)
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, url)
    return { url, status: response.status, headers: response.headers, text: await response.text(), next }
  }

  return {
    visit,
    /** Opens an address and follows redirects until one matches the path, which is not opened. */
    follow: async (address: string | URL, until: RegExp): Promise<URL> => {
      let url = new URL(address)
      for (let step = 0; step < maxSteps; step++) {
        if (until.test(url.pathname)) return url
        const { status, text, next } = await visit(url)
        if (!next) throw new Error(`${url} answered ${status} and leads nowhere: ${text.slice(0, 300)}`)
        url = next
      }
      throw new Error(`${address} redirects too often`)
    },
    post: async (address: string | URL, body: unknown, headers: Record<string, string> = {}) => {
      const { status, text } = await visit(address, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
      return { status, body: JSON.parse(text) as Record<string, unknown> }
    },
    /** Cookies of a host, for a test that moves or forgets them. */
    cookies: (address: string) => jarOf(new URL(address)),
  }
}

export type HttpBrowser = ReturnType<typeof createHttpBrowser>
