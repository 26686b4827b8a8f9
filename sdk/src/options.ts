import { refuseInsecureHttp } from './verify/insecure-http.ts'
import { refuseUnknown } from './verify/refuse-unknown.ts'

/** Called with a message and plain details; both are free of keys, tokens and link codes. */
export interface Logger {
  error(message: string, details: Readonly<Record<string, unknown>>): void
  warn(message: string, details: Readonly<Record<string, unknown>>): void
  info(message: string, details: Readonly<Record<string, unknown>>): void
  debug(message: string, details: Readonly<Record<string, unknown>>): void
}

export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** One attempt is about to be sent. `path` has `[link]` where a link or token stands. */
export interface RequestEvent {
  method: string
  path: string
  attempt: number
}

export interface ResponseEvent extends RequestEvent {
  status: number
  requestId: string | null
  durationMs: number
}

export interface RetryEvent extends RequestEvent {
  delayMs: number
  error: Error
}

export interface ClientOptions {
  /** A key (`csk_…`), or a function that gives the current one before each attempt. Public calls need none. */
  apiKey?: string | (() => string | Promise<string>)
  /** The registry's address, such as `https://registry.example`. In a browser the page's own origin by default. */
  baseURL?: string
  /** Plain http to another machine shows the key to everyone on the way, and lets them change the answers: say that you mean it. */
  insecureHttp?: boolean
  /** Milliseconds for one attempt, its answer included; 10 000 by default, 0 for no limit. */
  timeout?: number
  /** Milliseconds for all attempts and the waits between them. */
  deadline?: number
  /** How often to try again; 2 by default, 0 for never. */
  maxRetries?: number
  fetch?: typeof globalThis.fetch
  defaultHeaders?: HeadersInit
  /** Your program, for `User-Agent` (outside browsers). */
  appInfo?: { name: string; version?: string; url?: string }
  logger?: Logger
  /** Default `off`, or `warn` where a logger is given. */
  logLevel?: LogLevel
  onRequest?(event: RequestEvent): void
  onResponse?(event: ResponseEvent): void
  onRetry?(event: RetryEvent): void
  /** A key in a page is readable by every script on it: say that you mean it. */
  dangerouslyAllowBrowser?: boolean
}

export interface RequestOptions {
  signal?: AbortSignal
  timeout?: number
  maxRetries?: number
  /** For calls that create; made up for you where you give none. */
  idempotencyKey?: string
  headers?: HeadersInit
}

const clientOptionNames = {
  apiKey: true,
  baseURL: true,
  insecureHttp: true,
  timeout: true,
  deadline: true,
  maxRetries: true,
  fetch: true,
  defaultHeaders: true,
  appInfo: true,
  logger: true,
  logLevel: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  dangerouslyAllowBrowser: true,
} satisfies Record<keyof ClientOptions, true>

const requestOptionNames = {
  signal: true,
  timeout: true,
  maxRetries: true,
  idempotencyKey: true,
  headers: true,
} satisfies Record<keyof RequestOptions, true>

const refuseBadNumbers = (given: Record<string, unknown>) => {
  for (const name of ['timeout', 'deadline', 'maxRetries']) {
    const value = given[name]
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) throw new TypeError(`${name} must be a number from 0`)
  }
}

const isBrowser = () => 'window' in globalThis && 'document' in globalThis

/** Checks what a caller of `createClient` gave; throws TypeError naming what is wrong. */
export const checkClientOptions = (options: ClientOptions) => {
  refuseUnknown('option', options, clientOptionNames)
  refuseBadNumbers({ ...options })
  if (options.apiKey !== undefined && isBrowser() && !options.dangerouslyAllowBrowser) {
    throw new TypeError('An API key in a browser can be read by every script of the page; set dangerouslyAllowBrowser if you mean it')
  }
  if (typeof options.apiKey === 'string') checkApiKey(options.apiKey)
  if (options.logLevel !== undefined && !logLevels.includes(options.logLevel))
    throw new TypeError(`logLevel must be one of ${logLevels.join(', ')}`)
}

export const checkRequestOptions = (options: RequestOptions) => {
  refuseUnknown('option', options, requestOptionNames)
  refuseBadNumbers({ ...options })
}

// Said here, because fetch would repeat the key in its complaint.
export const checkApiKey = (key: string) => {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey is empty, or holds a character that no key has')
  return key
}

/**
 * The address that every path is added to. Throws TypeError for anything but an http or https address, and
 * `InsecureHttpError` for http to another machine. A page's own origin was chosen by whoever opened the page.
 */
export const readBaseURL = ({ baseURL: given, insecureHttp }: Pick<ClientOptions, 'baseURL' | 'insecureHttp'>): string => {
  const own = isBrowser() ? globalThis.location?.origin : undefined
  const address = given ?? own
  if (address === undefined) throw new TypeError('baseURL is needed: the address of your registry')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseURL must be an http or https address without user, query or fragment')
  }
  if (url.origin !== own) refuseInsecureHttp(url.href, insecureHttp)
  return url.href.replace(/\/+$/, '')
}

export const userAgent = (version: string, appInfo: ClientOptions['appInfo']): string | undefined => {
  // In a browser the header would cost a CORS preflight.
  if (isBrowser()) return undefined
  const { name, version: appVersion, url } = appInfo ?? {}
  const app = name === undefined ? '' : ` ${name}${appVersion ? `/${appVersion}` : ''}${url ? ` (${url})` : ''}`
  return `countersign-sdk/${version}${app}`
}
