import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../failure.ts'

interface Wiring {
  endpoint: string
  token: string | undefined
  fetch: typeof fetch
  timeoutMs: number
  signal: AbortSignal
  /** Default: waits. */
  pause?: (waitMs: number) => Promise<unknown>
}

export interface HubAnswer {
  url: string
  headers: Headers
  body: Buffer
}

export interface HubClient {
  endpoint: string
  hasToken: boolean
  /**
   * Reads what the hub has at an address, through its redirects; asks twice more where it is busy or does not answer. Fails
   * where that is more than `maxBytes`.
   */
  read(url: string, about: About): Promise<HubAnswer>
}

interface About {
  id: string
  revision?: string | undefined
  maxBytes: number
}

const maxRedirects = 5
const maxRetries = 2
/** Whoever should wait longer is told so instead. */
const longestWaitMs = 30_000
/** What may go well a moment later. */
const passing: ReadonlySet<string> = new Set(['network', 'rate_limited', 'upstream_unavailable'])

export const createHubClient = ({ endpoint, token, fetch, timeoutMs, signal, pause = waitWith(signal) }: Wiring): HubClient => {
  const origin = new URL(endpoint).origin
  const isPlain = endpoint.startsWith('http:')

  const ask = async (url: URL, redirects: number): Promise<{ url: URL; response: Response }> => {
    // What the hub redirects to is a store of somebody else: the token is for the hub alone.
    const isHub = token !== undefined && url.origin === origin
    const response = await fetch(url.href, {
      headers: { 'user-agent': 'countersign-cli', ...(isHub && { authorization: `Bearer ${token}` }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (response.status < 300 || response.status >= 400) return { url, response }
    await response.body?.cancel()
    const next = URL.parse(response.headers.get('location') ?? '', url)
    if (!next || redirects === 0 || !(next.protocol === 'https:' || (isPlain && next.protocol === 'http:')))
      throw odd(`The model hub redirects from ${url.pathname} to nowhere useful`)
    return ask(next, redirects - 1)
  }

  const attempt = async (address: string, { id, revision, maxBytes }: About): Promise<Attempt> => {
    try {
      const { url, response } = await ask(new URL(address), maxRedirects)
      if (response.ok)
        return { answer: { url: url.href, headers: response.headers, body: await readBody(response, maxBytes, url.pathname) } }
      await response.body?.cancel()
      const failure = refusalOf(response, { id, revision, endpoint, hasToken: token !== undefined })
      return { failure, retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof Failure) return { failure: error, retryAfter: null }
      const hint = 'Check the network and HF_ENDPOINT, then try again'
      return {
        failure: new Failure('network', 8, `The model hub does not answer at ${endpoint}`, hint, { cause: error }),
        retryAfter: null,
      }
    }
  }

  return {
    endpoint,
    hasToken: token !== undefined,
    read: async (address, about) => {
      for (let count = 0; ; count++) {
        const { answer, failure, retryAfter } = await attempt(address, about)
        if (answer) return answer
        const waitMs = waitOf(retryAfter, count)
        if (!passing.has(failure.code) || count === maxRetries || waitMs > longestWaitMs) throw failure
        await pause(waitMs)
      }
    },
  }
}

type Attempt = { answer: HubAnswer; failure?: never; retryAfter?: never } | { answer?: never; failure: Failure; retryAfter: string | null }

const waitWith = (signal: AbortSignal) => (waitMs: number) => wait(waitMs, undefined, { signal })

/** RFC 9110 §10.2.3 in seconds, as the hub tells it; else half a second, and twice as long the next time. */
const waitOf = (retryAfter: string | null, count: number) =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 500 * 2 ** count

const readBody = async (response: Response, maxBytes: number, path: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw odd(`What the model hub answers at ${path} is larger than it may be`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const odd = (message: string) =>
  new Failure('upstream_refused', 8, message, 'Try again; if it stays so, download the model and register its folder')

interface Asked {
  id: string
  revision: string | undefined
  endpoint: string
  hasToken: boolean
}

const refusalOf = ({ status, headers }: Response, { id, revision, endpoint, hasToken }: Asked): Failure => {
  const code = headers.get('x-error-code')
  if (code === 'GatedRepo')
    return new Failure(
      'forbidden',
      4,
      `${id} is gated on the hub: its files are shown only to those who accepted its terms`,
      hasToken
        ? `Accept the terms at ${endpoint}/${id} with the account that HF_TOKEN belongs to, then try again`
        : `Accept the terms at ${endpoint}/${id}, and set HF_TOKEN to a token of that account`,
    )
  if (code === 'RevisionNotFound')
    return new Failure('not_found', 5, `${id} has no revision ${revision ?? ''} on the hub`, `See: ${endpoint}/${id}/commits/main`)
  if (code === 'EntryNotFound') return odd(`The hub lists a file of ${id} that it does not have`)
  // To whoever may not see it, the hub says the same of a model that is private and of one that is not there.
  if (code === 'RepoNotFound' || status === 404)
    return new Failure(
      'not_found',
      5,
      `The hub shows no model ${id}: it is not there, or it is private`,
      hasToken
        ? 'Check the name, and that the account of HF_TOKEN may read it'
        : 'Check the name; for a private model set HF_TOKEN to a token of an account that may read it',
    )
  if (status === 401 || status === 403)
    return new Failure(
      'forbidden',
      4,
      hasToken ? 'The model hub does not accept HF_TOKEN for this' : `The model hub shows ${id} only to those who sign in`,
      'Set HF_TOKEN to a token that may read the model',
    )
  if (status === 429)
    return new Failure('rate_limited', 7, 'The model hub has had too many requests', 'Wait some minutes; with HF_TOKEN it allows more')
  if (status >= 500) return new Failure('upstream_unavailable', 8, 'The model hub cannot answer right now', 'Try again later')
  return odd(`The model hub answers ${status} for ${id}`)
}
