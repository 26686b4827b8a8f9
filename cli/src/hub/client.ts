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
  /** Reads from the hub, following redirects and retrying twice if it is busy or does not answer. Fails above `maxBytes`. */
  read(url: string, about: About): Promise<HubAnswer>
}

interface About {
  id: string
  revision?: string | undefined
  maxBytes: number
}

const maxRedirects = 5
const maxRetries = 2
/** Fail instead of waiting longer than this. */
const longestWaitMs = 30_000
/** Errors that may pass in a moment. */
const passing: ReadonlySet<string> = new Set(['network', 'rate_limited', 'upstream_unavailable'])

export const createHubClient = ({
  endpoint,
  token,
  fetch,
  timeoutMs,
  signal,
  pause = waitWith(signal),
}: Wiring): HubClient => {
  const origin = new URL(endpoint).origin
  const isPlain = endpoint.startsWith('http:')

  const ask = async (url: URL, redirects: number): Promise<{ url: URL; response: Response }> => {
    // The hub redirects to third-party storage: send the token only to the hub.
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
      throw odd(`The model hub redirects from ${url.pathname} to an invalid address`)
    return ask(next, redirects - 1)
  }

  const attempt = async (address: string, { id, revision, maxBytes }: About): Promise<Attempt> => {
    try {
      const { url, response } = await ask(new URL(address), maxRedirects)
      if (response.ok)
        return {
          answer: { url: url.href, headers: response.headers, body: await readBody(response, maxBytes, url.pathname) },
        }
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

type Attempt =
  | { answer: HubAnswer; failure?: never; retryAfter?: never }
  | { answer?: never; failure: Failure; retryAfter: string | null }

const waitWith = (signal: AbortSignal) => (waitMs: number) => wait(waitMs, undefined, { signal })

/** Seconds as in RFC 9110 §10.2.3 if the hub sends them; otherwise half a second, doubling each time. */
const waitOf = (retryAfter: string | null, count: number) =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 500 * 2 ** count

const readBody = async (response: Response, maxBytes: number, path: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw odd(`The model hub’s answer at ${path} is too large`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const odd = (message: string) =>
  new Failure(
    'upstream_refused',
    8,
    message,
    'Try again. If that doesn’t help, download the model and register its folder',
  )

interface Requested {
  id: string
  revision: string | undefined
  endpoint: string
  hasToken: boolean
}

const refusalOf = ({ status, headers }: Response, { id, revision, endpoint, hasToken }: Requested): Failure => {
  const code = headers.get('x-error-code')
  if (code === 'GatedRepo')
    return new Failure(
      'forbidden',
      4,
      `${id} is gated on the hub: its files are only available to people who accepted its terms`,
      hasToken
        ? `Accept the terms at ${endpoint}/${id} with the account that HF_TOKEN belongs to, then try again`
        : `Accept the terms at ${endpoint}/${id}, and set HF_TOKEN to a token of that account`,
    )
  if (code === 'RevisionNotFound')
    return new Failure(
      'not_found',
      5,
      `${id} has no revision ${revision ?? ''} on the hub`,
      `See: ${endpoint}/${id}/commits/main`,
    )
  if (code === 'EntryNotFound') return odd(`The hub lists a file of ${id} that it does not have`)
  // The hub answers the same for private models and models that don't exist.
  if (code === 'RepoNotFound' || status === 404)
    return new Failure(
      'not_found',
      5,
      `The hub has no model ${id}, or it is private`,
      hasToken
        ? 'Check the name, and that the account of HF_TOKEN may read it'
        : 'Check the name. For a private model, set HF_TOKEN to a token that may read it',
    )
  if (status === 401 || status === 403)
    return new Failure(
      'forbidden',
      4,
      hasToken
        ? 'The model hub does not accept HF_TOKEN for this'
        : `The model hub shows ${id} only to signed-in users`,
      'Set HF_TOKEN to a token that may read the model',
    )
  if (status === 429)
    return new Failure(
      'rate_limited',
      7,
      'The model hub received too many requests',
      'Wait a few minutes; with HF_TOKEN it allows more',
    )
  if (status >= 500)
    return new Failure('upstream_unavailable', 8, 'The model hub cannot answer right now', 'Try again later')
  return odd(`The model hub answered ${status} for ${id}`)
}
