import { type ApiError, ConnectionError, type FailedCall, TimeoutError, toApiError } from './api-error.ts'
import type { Route } from './contract/routes.ts'
import {
  type ClientOptions,
  checkApiKey,
  checkClientOptions,
  type LogLevel,
  logLevels,
  type RequestOptions,
  readBaseURL,
  userAgent,
} from './options.ts'
import { redact } from './redact.ts'
import { abortErrorOf, backOffMs, longestWaitMs, pause, readRetryAfter } from './retry.ts'
import { isCacheKnown } from './verify/cache-mode.ts'
import { isText } from './verify/values.ts'
import { version } from './version.ts'

/** One call: a route with its path filled in. */
export interface Call {
  /** What the caller called, such as `models.register`. */
  call: string
  route: Route
  /** The values of the path's parameters, in order. */
  ids: readonly string[]
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown | undefined
  /** Replaces the body: sent as multipart/form-data in the field `file`. */
  file?: Blob | undefined
  options: RequestOptions
}

/** A whole response, as `withResponse()` gives it. */
export interface Answer<T> {
  /** The body. */
  data: T
  /** Status and headers; its body has been read. */
  response: Response
  /** ID of the request (`req_…`), for support requests. */
  requestId: string | null
}

/** Clock and randomness, replaced in tests. */
export interface Environment {
  now(): number
  random(): number
  pause(waitMs: number, signal?: AbortSignal): Promise<void>
}

export type Transport = (call: Call) => Promise<Answer<unknown>>

const defaultTimeoutMs = 10_000
const defaultRetries = 2

/** Sends calls with key, timeouts and retries. Throws TypeError for invalid options. */
export const createTransport = (
  options: ClientOptions,
  environment: Environment = { now: Date.now, random: Math.random, pause },
): Transport => {
  checkClientOptions(options)
  const baseURL = readBaseURL(options)
  const { host } = new URL(baseURL)
  const { apiKey, deadline = Infinity } = options
  const agent = userAgent(version, options.appInfo)
  const defaultHeaders = new Headers(options.defaultHeaders)
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const log = createLog(options)
  const { now, random } = environment

  const headersOf = async ({ call, options: { headers, idempotencyKey }, body }: Call) => {
    const all = new Headers(defaultHeaders)
    all.set('Accept', 'application/json')
    if (agent !== undefined && !all.has('User-Agent')) all.set('User-Agent', agent)
    if (body !== undefined) all.set('Content-Type', 'application/json')
    if (idempotencyKey !== undefined) all.set('Idempotency-Key', idempotencyKey)
    if (apiKey !== undefined) all.set('X-API-Key', checkApiKey(call, isText(apiKey) ? apiKey : await apiKey()))
    new Headers(headers).forEach((value, name) => {
      all.set(name, value)
    })
    return all
  }

  const exchange = async (call: Call, signal: AbortSignal) => {
    const url = baseURL + fillPath(call) + queryOf(call.query)
    const headers = await headersOf(call)
    const init: RequestInit = { method: call.route.method, headers, redirect: 'manual', signal }
    // Verdicts never come from a cache.
    if (call.route.path.includes(':token') && isCacheKnown()) init.cache = 'no-store'
    if (call.file !== undefined) init.body = formOf(call.file)
    else if (call.body !== undefined) init.body = JSON.stringify(call.body)
    try {
      const response = await fetch(url, init)
      return { response, text: await response.text() }
    } catch (cause) {
      throw new ConnectionError(whyNot(host, cause), { ...siteOf(call), cause })
    }
  }

  const attempt = async (call: Call, timeoutMs: number) => {
    const { signal } = call.options
    if (signal?.aborted) throw abortErrorOf(signal)
    const controller = new AbortController()
    let reject: (error: Error) => void = () => {}
    const stopped = new Promise<never>((_, settle) => {
      reject = settle
    })
    const stop = (error: Error) => {
      reject(error)
      controller.abort(error)
    }
    const onAbort = () => stop(abortErrorOf(signal))
    const timer =
      timeoutMs < Infinity
        ? setTimeout(
            () => stop(new TimeoutError(`No answer within ${Math.round(timeoutMs)} ms`, siteOf(call))),
            timeoutMs,
          )
        : undefined
    // Not AbortSignal.any, which would leak memory on a long-lived signal.
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([exchange(call, controller.signal), stopped])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  const readAnswer = (call: Call, { response, text }: { response: Response; text: string }): Answer<unknown> => {
    const requestId = response.headers.get('X-Request-Id')
    const foreign = (detail: string) =>
      new ConnectionError(`${detail}: check its address`, { ...siteOf(call), retryable: false })
    // Following a redirect would send the key elsewhere.
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw foreign('The answer is a redirect')
    const body = readJson(text)
    if (response.ok && body === undefined) throw foreign('The answer is not from a registry')
    if (response.ok && (body as { code?: unknown } | null)?.code !== 'change_staged')
      return { data: body, response, requestId }
    const isKeyMissing = apiKey === undefined && response.status === 401 && text.includes('API key')
    throw toApiError({
      failed: { ...siteOf(call), hint: isKeyMissing ? ' createClient got no apiKey.' : '' },
      host,
      status: response.status,
      body,
      requestId,
      retryAfterMs: readRetryAfter(response.headers.get('Retry-After'), now()),
      mayRetry: response.headers.get('X-Should-Retry') !== 'false',
    })
  }

  return async (call) => {
    const startedAt = now()
    const retries = call.options.maxRetries ?? options.maxRetries ?? defaultRetries
    const timeoutMs = (call.options.timeout ?? options.timeout ?? defaultTimeoutMs) || Infinity
    const { method, path } = siteOf(call)
    for (let number = 1; ; number++) {
      const leftMs = startedAt + deadline - now()
      if (leftMs <= 0) throw new TimeoutError(`No answer within ${deadline} ms`, siteOf(call))
      const sentAt = now()
      const event = { method, path, attempt: number }
      log('debug', 'request', event)
      options.onRequest?.(event)
      try {
        const received = await attempt(call, Math.min(timeoutMs, leftMs))
        const { status, headers } = received.response
        const answered = { ...event, status, requestId: headers.get('X-Request-Id'), durationMs: now() - sentAt }
        log('info', 'response', answered)
        options.onResponse?.(answered)
        return readAnswer(call, received)
      } catch (error) {
        if (!isRetryable(error) || number > retries) {
          log('error', 'failed', { ...event, error: redact(String(error)) })
          throw error
        }
        const delayMs = (error as Partial<ApiError>).retryAfterMs ?? backOffMs(number, random())
        if (delayMs > longestWaitMs || startedAt + deadline - now() <= delayMs) throw error
        log('warn', 'retry', { ...event, delayMs, error: redact(String(error)) })
        options.onRetry?.({ ...event, delayMs, error })
        await environment.pause(delayMs, call.options.signal)
      }
    }
  }
}

const isRetryable = (error: unknown): error is ApiError | ConnectionError => Object(error).retryable === true

/** The cause of `fetch failed` in words. If a host has several addresses, the cause has a list of errors. */
const whyNot = (host: string, error: unknown): string => {
  const { cause } = error as { cause?: { message?: unknown; code?: unknown; errors?: { message?: unknown }[] } }
  const reason = cause?.message || cause?.errors?.[0]?.message || cause?.code
  if (/wrong version|packet length/.test(String(reason))) return `${host} answered without TLS. Does it speak http?`
  return `No answer from ${host}${isText(reason) ? `: ${reason}` : ''}`
}

const formOf = (file: Blob) => {
  const form = new FormData()
  form.set('file', file, 'name' in file && isText(file.name) ? file.name : 'file')
  return form
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces each `:name` of a path, in order. */
const fill = (path: string, ids: readonly unknown[], write: (name: string, value: unknown) => string) => {
  const left = [...ids]
  return path.replace(/:\w+/g, (name) => write(name, left.shift()))
}

/** Rejects `.` and `..`, which would change the path. */
const fillPath = ({ call, route, ids }: Call) =>
  fill(route.path, ids, (name, value) => {
    if (!isText(value) || /^\.{0,2}$/.test(value))
      throw new TypeError(`${call}: "${name.slice(1)}" must not be empty, "." or ".."`)
    return encodeURIComponent(value.toWellFormed())
  })

/** Where an error happened. */
const siteOf = (call: Call): FailedCall => ({ call: call.call, method: call.route.method, path: shownPath(call) })

/** The path for logs and events: IDs are shown, links and tokens are not. */
const shownPath = ({ route, ids }: Call) =>
  fill(redact(route.path), ids, (name, value) =>
    name === ':token' ? '[link]' : redact(encodeURIComponent(String(value).toWellFormed())),
  )

const queryOf = (query: Readonly<Record<string, unknown>> = {}) => {
  const given = Object.entries(query).filter(([, value]) => (value ?? null) !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const createLog = ({ logger, logLevel = logger ? 'warn' : 'off' }: ClientOptions) => {
  const most = logLevels.indexOf(logLevel)
  const target = logger ?? console
  return (level: Exclude<LogLevel, 'off'>, message: string, details: Readonly<Record<string, unknown>>) => {
    if (logLevels.indexOf(level) <= most) target[level](`countersign ${message}`, details)
  }
}
