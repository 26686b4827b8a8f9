import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { parse } from 'tldts'
import { Agent, buildConnector, request } from 'undici'
import type { Config } from '../config.ts'
import { isPublicAddress } from './addresses.ts'
import { createResolveAddresses, type ResolveAddresses } from './dns.ts'

export type EgressFailure = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects'

/** Why nothing came back. What the other side said is not disclosed: it may be a banner of an internal service. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly kind: EgressFailure

  constructor(kind: EgressFailure, options?: ErrorOptions) {
    super(words[kind], options)
    this.kind = kind
  }
}

const words = {
  refused: 'The registry does not connect to this address.',
  unreachable: 'The address could not be reached.',
  timeout: 'The address did not answer in time.',
  too_large: 'The answer is too large.',
  too_many_redirects: 'The address redirects too often.',
} as const satisfies Record<EgressFailure, string>

export interface EgressRequest {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Limit of the body, after decompression. */
  maxBytes: number
  /** For everything, redirects included. Default 10 seconds. */
  timeoutMs?: number
  /** Default 3. Each is checked like the first; a body is sent only once. */
  maxRedirects?: number
  /** Default: https only. */
  allowHttp?: boolean
}

export interface EgressAnswer {
  status: number
  /** By lower-case name; repeated ones joined by commas. */
  headers: Record<string, string>
  body: Buffer
  /** The final address, after redirects. */
  url: string
}

export interface Egress {
  /** Concurrent requests to one host; more wait. */
  perHost: number
  fetch: (url: string, request: EgressRequest) => Promise<EgressAnswer>
  close: () => Promise<void>
}

/** On a registry on loopback: an address that is allowed in spite of the rules, and the name that maps to it. */
export interface EgressException {
  name: string | null
  host: string
  port: number
}

export interface EgressOptions {
  allow?: readonly EgressException[]
  /** Host name of this registry, which does not call itself. */
  own?: string
  resolve?: ResolveAddresses
  /** Which addresses are allowed. Default: those of the public internet. */
  isOpen?: (address: string) => boolean
  /** Certificate authority to trust, PEM. Default: the built-in ones. */
  ca?: string
  userAgent?: string
}

type Connecting = Parameters<ReturnType<typeof buildConnector>>[0]

const connectMs = 3_000
const perHost = 2
const maxAddresses = 3
const defaultTimeoutMs = 10_000
const defaultRedirects = 3
const ports = { 'https:': ['', '443', '8443'], 'http:': ['', '80'] }

const refuse = (cause?: unknown): never => {
  throw new EgressError('refused', { cause })
}

const portOf = ({ port, protocol }: { port: string; protocol: string }) =>
  port || (protocol === 'https:' ? '443' : '80')

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** A secret for one origin; it is sent to no other. */
const headersFor = (headers: Record<string, string>, isSameOrigin: boolean) =>
  isSameOrigin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !/^((proxy-)?authorization|cookie)$/i.test(name)))

/**
 * The only client for outgoing requests. Every address is checked when the connection is made, and the connection uses the checked
 * address, so that a name cannot change in between.
 */
export const createEgress = ({
  allow = [],
  own,
  resolve = createResolveAddresses(),
  isOpen = isPublicAddress,
  ca,
  userAgent = 'Countersign',
}: EgressOptions = {}): Egress => {
  const isException = (host: string, port: string) =>
    allow.some((one) => one.host === host && String(one.port) === port)

  const vet = async (name: string, port: string): Promise<readonly string[]> => {
    if (isIP(name)) return isOpen(name) || isException(name, port) ? [name] : refuse()
    const addresses = await resolve(name)
    // One private address makes the whole name suspect.
    return addresses.length > 0 && addresses.every(isOpen) ? addresses.slice(0, maxAddresses) : refuse()
  }

  const connector = buildConnector({ timeout: connectMs, allowH2: false, ...(ca !== undefined && { ca }) })

  /** Tries the addresses in turn, because each may be down. */
  const connect = (
    [address = '', ...others]: readonly string[],
    options: Connecting,
    callback: buildConnector.Callback,
  ) => {
    connector({ ...options, hostname: address }, (...result) =>
      result[0] && others.length > 0 ? connect(others, options, callback) : callback(...result),
    )
  }

  const agent = new Agent({
    connections: perHost,
    pipelining: 1,
    connect: (options, callback) => {
      const name = bare(options.hostname)
      // The certificate must match the name, regardless of the address behind it.
      const servername = options.servername || (isIP(name) ? undefined : name)
      vet(name, portOf(options)).then(
        (addresses) => connect(addresses, { ...options, servername }, callback),
        (error) => callback(error instanceof Error ? error : new EgressError('unreachable'), null),
      )
    },
  })

  /** Everything that the text of an address reveals. */
  const check = (text: string, allowHttp: boolean): URL => {
    const url = URL.parse(text) ?? refuse()
    if (url.username !== '' || url.password !== '') refuse()
    const host = bare(url.hostname)
    if (isException(host, portOf(url))) return url
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) refuse()
    if (![...ports['https:'], ...(allowHttp ? ports['http:'] : [])].includes(url.port)) refuse()
    if (isIP(host)) return isOpen(host) ? url : refuse()
    if (host === own) refuse()
    const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
    if (host.endsWith('.') || domain === null || !(isIcann || isPrivate)) refuse()
    return url
  }

  /** A name that maps to an address of this machine, if the registry itself is on this machine. */
  const routed = (url: URL): { url: URL; host: string | undefined } => {
    const exception = allow.find(({ name }) => name !== null && name === url.hostname)
    if (!exception) return { url, host: undefined }
    const host = exception.host.includes(':') ? `[${exception.host}]` : exception.host
    return { url: new URL(`http://${host}:${exception.port}${url.pathname}${url.search}`), host: url.host }
  }

  const readBody = async (
    body: AsyncIterable<Buffer> & { destroy: () => unknown },
    maxBytes: number,
    encoding: string | undefined,
  ) => {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        body.destroy()
        throw new EgressError('too_large')
      }
      chunks.push(chunk)
    }
    const whole = Buffer.concat(chunks)
    if (encoding === undefined || encoding === 'identity' || whole.length === 0) return whole
    const decode = decoders[encoding as keyof typeof decoders]
    if (!decode) throw new EgressError('unreachable')
    return decode(whole, { maxOutputLength: maxBytes }).catch((cause) => {
      throw new EgressError(
        (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreachable',
        { cause },
      )
    })
  }

  const hop = async (
    url: URL,
    { method = 'GET', headers = {}, body, maxBytes }: EgressRequest,
    isSameOrigin: boolean,
    signal: AbortSignal,
  ) => {
    const target = routed(url)
    const answer = await request(target.url, {
      dispatcher: agent,
      method,
      headers: {
        'user-agent': userAgent,
        'accept-encoding': 'identity',
        ...headersFor(headers, isSameOrigin),
        ...(target.host !== undefined && { host: target.host }),
      },
      ...(body !== undefined && { body }),
      signal,
    })
    const { location } = answer.headers
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode) && typeof location === 'string'
    if (isRedirect) {
      // Its other headers are dropped.
      answer.body.on('error', () => {}).destroy()
      return { redirect: location, answer }
    }
    const encoding = answer.headers['content-encoding']
    return {
      redirect: undefined,
      answer,
      bytes: await readBody(answer.body, maxBytes, typeof encoding === 'string' ? encoding.toLowerCase() : undefined),
    }
  }

  const joined = (headers: Record<string, string | string[] | undefined>) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
      ),
    )

  return {
    perHost,
    fetch: async (text, options) => {
      const { maxRedirects = defaultRedirects, allowHttp = false, timeoutMs = defaultTimeoutMs } = options
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const first = allow.some(({ name }) => name === URL.parse(text)?.hostname)
          ? (URL.parse(text) ?? refuse())
          : check(text, allowHttp)
        let url = first
        for (let redirects = 0; ; redirects++) {
          const { redirect, answer, bytes } = await hop(url, options, url.origin === first.origin, signal)
          if (redirect === undefined)
            return {
              status: answer.statusCode,
              headers: joined(answer.headers),
              body: bytes ?? Buffer.alloc(0),
              url: url.href,
            }
          if (maxRedirects === 0)
            return { status: answer.statusCode, headers: joined(answer.headers), body: Buffer.alloc(0), url: url.href }
          if (redirects >= maxRedirects || options.body !== undefined) throw new EgressError('too_many_redirects')
          url = check(URL.parse(redirect, url)?.href ?? '', allowHttp)
        }
      } catch (cause) {
        if (cause instanceof EgressError) throw cause
        if (cause instanceof Error && cause.cause instanceof EgressError) throw cause.cause
        throw new EgressError(signal.aborted ? 'timeout' : 'unreachable', { cause })
      }
    },
    close: () => agent.destroy(),
  }
}

/** The client of a command, with the registry's settings. */
export const openEgress = ({
  egressAllow,
  dnsServers,
  publicUrl,
}: Pick<Config, 'egressAllow' | 'dnsServers' | 'publicUrl'>): Egress =>
  createEgress({
    allow: egressAllow,
    resolve: createResolveAddresses(dnsServers),
    ...(publicUrl !== null && { own: new URL(publicUrl).hostname }),
  })
