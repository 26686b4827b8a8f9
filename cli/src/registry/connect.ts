import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { type ClientOptions, type Countersign, createClient, InsecureHttpError, redact } from '@countersign/sdk'
import manifest from '../../package.json' with { type: 'json' }
import { Failure, insecureHttp } from '../failure.ts'
import { unreadable } from '../io/files.ts'
import { detailOf } from '../render/detail.ts'

interface Wiring {
  /** A person is watching while a request is pending. */
  isWatched: boolean
  signal: AbortSignal
  url: string
  insecureHttp: boolean
  apiKey: string | undefined
  timeoutMs: number
  fetch: typeof fetch | undefined
  sign?: ((send: typeof fetch) => typeof fetch) | undefined
  env: Readonly<Record<string, string | undefined>>
  caFile: string | undefined
  cwd: string
  /** Receives one line per request; undefined if no one listens. */
  log: ((line: string) => void) | undefined
  /** Receives one line when a wait becomes noticeable. */
  say?: ((line: string) => void) | undefined
}

const noticedWaitMs = 2_000

/** The SDK's client, with the proxy, authority and output that the environment configures. */
export const connect = async (wiring: Wiring): Promise<Countersign> => {
  const { url, apiKey, timeoutMs, log } = wiring
  const send = warnOfPlainHttp(url, wiring.fetch ?? (await fetchFor(wiring)) ?? globalThis.fetch)
  const call = wiring.sign?.(send) ?? send
  const options = {
    baseURL: url,
    insecureHttp: wiring.insecureHttp,
    apiKey,
    timeout: timeoutMs,
    fetch: wiring.isWatched ? await watched(call, wiring) : call,
    appInfo: { name: 'countersign-cli', version: manifest.version },
    onResponse: ({ method, path, status, durationMs, requestId }) =>
      log?.(`${method} ${path} ${status} ${durationMs} ms ${requestId ?? ''}`.trimEnd()),
    onRetry: ({ method, path, delayMs, error }) => {
      log?.(`${method} ${path} again in ${delayMs} ms: ${redact(detailOf(error))}`)
      if (log === undefined && delayMs >= noticedWaitMs)
        wiring.say?.(`${redact(detailOf(error))} Waiting ${Math.ceil(delayMs / 1_000)} seconds …`)
    },
  } satisfies ClientOptions
  try {
    return createClient(options)
  } catch (error) {
    throw error instanceof InsecureHttpError ? insecureHttp(url) : error
  }
}

/** Replaces OpenSSL's dump with words. */
const warnOfPlainHttp =
  (url: string, call: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      return await call(input, init)
    } catch (error) {
      if (!isPlainHttp(error)) throw error
      throw new TypeError('fetch failed', {
        cause: new Error(`it does not speak TLS; did you mean ${url.replace(/^https/, 'http')}?`, { cause: error }),
      })
    }
  }

/** What OpenSSL reports when the answer is plain http. */
export const isPlainHttp = (error: unknown): boolean =>
  error instanceof Error &&
  (/wrong version number|packet length too long/i.test(error.message) || isPlainHttp(error.cause))

const watched = async (call: typeof fetch, { url, signal }: Wiring): Promise<typeof fetch> => {
  const { createWaiting } = await import('../io/progress.ts')
  const waiting = createWaiting(`Waiting for ${new URL(url).host}`, signal)
  return (input, init) => waiting(() => call(input, init))
}

/** Names the setting: the path alone says too little. */
export const readCaFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure('file', 2, `ca_file: ${unreadable(error, path)}`, 'See: countersign config explain ca_file', {
      cause: error,
    })
  }
}

/** The built-in fetch, or one that uses the environment's proxy and authority. */
export const fetchFor = async ({
  url,
  env,
  caFile,
  cwd,
}: Pick<Wiring, 'url' | 'env' | 'caFile' | 'cwd'>): Promise<typeof fetch | undefined> => {
  const isSecure = url.startsWith('https:')
  const hasProxy = [env.HTTPS_PROXY, env.https_proxy, env.HTTP_PROXY, env.http_proxy].some(
    (value) => (value ?? '') !== '',
  )
  const ca = isSecure && caFile !== undefined ? [...rootCertificates, readCaFile(resolve(cwd, caFile))] : undefined
  if (!hasProxy && ca === undefined) return undefined
  // A dispatcher only works with the fetch of its own undici, never with the built-in one.
  const undici = await import('undici')
  const tls = ca === undefined ? {} : { ca }
  const dispatcher = hasProxy
    ? new undici.EnvHttpProxyAgent({ connect: tls, requestTls: tls })
    : new undici.Agent({ connect: tls })
  const call: unknown = (input: string, init: object) => undici.fetch(input, { ...init, dispatcher })
  return call as typeof fetch
}
