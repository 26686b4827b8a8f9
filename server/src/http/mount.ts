import type { IncomingMessage } from 'node:http'
import { type Endpoint, errors, invalidInput, maxBodyBytesOf, notFound, Refusal } from '@countersign/sdk/contract'
import type { Express, Request, Response } from 'express'
import type { z } from 'zod'
import { readJson } from './body.ts'
import { type Authenticate, type Caller, findCaller } from './callers.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import type { Idempotency } from './idempotency.ts'
import { type IsProxy, type Peer, readPeer } from './peer.ts'
import { refusalOf, sendProblem } from './problems.ts'
import type { CheckRate, NoteRefusal, RateLimits } from './rate-limits.ts'
import { type Asked, networkOf } from './rate-rules.ts'
import type { RequestLog } from './request-log.ts'
import type { RowTable } from './row-table.ts'
import { screenJson } from './screen.ts'
import type { Shedding } from './shedding.ts'
import { readUpload, type Upload } from './upload.ts'

/** What a handler is given: everything parsed, nothing of HTTP but who is at the other end. */
export interface Context<Row extends Endpoint> {
  params: Row['params'] extends z.ZodType ? z.output<Row['params']> : undefined
  query: Row['query'] extends z.ZodType ? z.output<Row['query']> : undefined
  body: Row['body'] extends z.ZodType ? z.output<Row['body']> : undefined
  caller: Row['caller'] extends 'provider' ? Caller : Row['caller'] extends 'optional' ? Caller | undefined : undefined
  /** The one file of a row that takes an upload. */
  upload: Row extends { upload: true } ? Upload : undefined
  /** The deployment that asks, read when it is wanted. */
  peer: () => Peer | undefined
  /** The browser or program that asks, as far as it tells; read when it is wanted. */
  visitor: () => Visitor
}

export interface Visitor {
  /** Behind trusted proxies the address they name. */
  address: string
  userAgent: string | null
  /** Whether a page of another site made the browser ask, as far as browsers tell (Fetch Metadata, `Sec-Fetch-Site`). */
  isFromElsewhere: boolean
  cookies: Cookies
}

export type Handler<Row extends Endpoint> = (context: Context<Row>) => Promise<z.output<Row['response']>>

/** One handler for each row of a feature: a missing one does not compile. */
export type Handlers<Rows extends Record<string, Endpoint>> = { [Name in keyof Rows]: Handler<Rows[Name]> }

type AnyHandler = (context: Context<Endpoint>) => Promise<unknown>

export interface MountOptions {
  authenticate: Authenticate
  idempotency: Idempotency
  isCertificateProxy: IsProxy
  now: () => number
  newRequestId: () => string
  requestLog: RequestLog
  rateLimits: RateLimits
  /** Nothing where nobody is turned away, however busy it is. */
  shedding: Pick<Shedding, 'of'> | undefined
  isDraining: () => boolean
  /** Whether browsers take cookies that need TLS: people come by https, or from this machine. */
  hasSecureCookies: boolean
  /** Check answers against their schemas before they are sent. */
  checkAnswers: boolean
  table: RowTable<(request: Request, response: Response) => Promise<void>>
}

/** Fixed for every answer of the API; pages have their own. */
const apiHeaders = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
])

const requestIdOf = (request: IncomingMessage, newRequestId: () => string): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId()
}

/** Starts every answer the same way: an id to speak of it, and headers that hold even for a refusal. */
export const prepare =
  ({ newRequestId, requestLog, isDraining }: Pick<MountOptions, 'newRequestId' | 'requestLog' | 'isDraining'>) =>
  (request: IncomingMessage, response: Response) => {
    const requestId = requestIdOf(request, newRequestId)
    response.locals = { requestId, route: undefined, refusal: undefined }
    response.setHeader('X-Request-Id', requestId)
    response.setHeaders(apiHeaders)
    if (isDraining()) response.setHeader('Connection', 'close')
    requestLog(response)
  }

const checkBody = (schema: z.ZodType, body: unknown): unknown => {
  const parsed = schema.safeParse(screenJson(body))
  if (!parsed.success) throw invalidInput('body', parsed.error)
  return parsed.data
}

const readQuery = (schema: z.ZodType, request: Request): unknown => {
  // A form sends every field it has; an empty one means absent.
  const given = Object.entries(request.query).filter(([, value]) => value !== '')
  const parsed = schema.safeParse(screenJson(Object.fromEntries(given)))
  if (!parsed.success) throw invalidInput('query', parsed.error)
  return parsed.data
}

const readParams = (schema: z.ZodType, request: Request): unknown => {
  const parsed = schema.safeParse(request.params)
  // A malformed id answers like an unknown one.
  if (!parsed.success) throw notFound()
  return parsed.data
}

const checkAnswer = (row: Endpoint, answer: unknown) => {
  const checked = row.response.safeParse(answer)
  if (checked.success) return
  throw new Error(
    `${row.method} ${row.path} answered what its contract does not allow: ${JSON.stringify(checked.error.issues.slice(0, 5))}`,
  )
}

export const sendJson = (response: Response, status: number, answer: unknown) => {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(answer))
}

/** A page of ours, a person, or no browser at all. */
const ownSites: ReadonlySet<string | undefined> = new Set(['same-origin', 'none', undefined])

const visitorOf = (request: Request, response: Response, { hasSecureCookies }: MountOptions): Visitor => ({
  address: request.ip ?? '',
  userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
  isFromElsewhere: !ownSites.has(request.get('sec-fetch-site')),
  cookies: cookiesOf(request, response, { isSecure: hasSecureCookies }),
})

const serve = (row: Endpoint, handle: AnyHandler, options: MountOptions) => {
  const { of, noteRefusal } = options.rateLimits
  const serving = { row, handle, options, shed: options.shedding?.of(row), checkRate: of(row), noteRefusal: noteRefusal(row) }
  return (request: Request, response: Response) => answerRow(serving, request, response)
}

interface Serving {
  row: Endpoint
  handle: AnyHandler
  options: MountOptions
  shed: ReturnType<Shedding['of']>
  checkRate: CheckRate | undefined
  noteRefusal: NoteRefusal | undefined
}

const handleRow = async ({ row, handle, options }: Serving, context: Context<Endpoint>, response: Response) => {
  const answer = await handle(context)
  if (options.checkAnswers) checkAnswer(row, answer)
  if (row.maxAgeSeconds) response.setHeader('Cache-Control', `public, max-age=${row.maxAgeSeconds}`)
  return answer
}

/** A body that may be larger is read only of those who may send one. */
const largeBytes = 1_000_000

const answerRow = async (serving: Serving, request: Request, response: Response) => {
  const { row, options, shed, checkRate, noteRefusal } = serving
  const requestId: string = response.locals.requestId
  response.locals.route = `${row.method} ${row.path}`
  // Public reads may be called from any page, without credentials.
  if (row.method === 'GET' && row.caller === 'public') response.setHeader('Access-Control-Allow-Origin', '*')
  // Express follows the proxies anew each time it is asked: only a rule that looks at the network asks.
  const asked: Asked = { network: () => networkOf(request.ip ?? ''), caller: undefined, params: request.params, body: {} }
  let isCounted = false
  try {
    shed?.(request, response)
    const identify = async () => (row.caller === 'public' ? undefined : findCaller(request, row, options.authenticate))
    // Of strangers nothing large is held in memory.
    const known = maxBodyBytesOf(row) > largeBytes ? await identify() : undefined
    const body = row.body && (await readJson(request, maxBodyBytesOf(row)))
    const caller = known ?? (await identify())
    asked.caller = caller
    const upload = row.upload && (await readUpload(request, maxBodyBytesOf(row)))
    const context = {
      params: row.params && readParams(row.params, request),
      query: row.query && readQuery(row.query, request),
      body: row.body && checkBody(row.body, body),
      caller,
      upload,
      peer: () => readPeer(request, options.isCertificateProxy, options.now),
      visitor: () => visitorOf(request, response, options),
    } as Context<Endpoint>
    if (checkRate) {
      if (context.body) asked.body = context.body
      isCounted = true
      await checkRate(asked, response)
    }
    const status = row.status ?? 200
    const key = row.idempotent && request.headers['idempotency-key']
    if (typeof key !== 'string') return sendJson(response, status, await handleRow(serving, context, response))
    const outcome = await options.idempotency.once(
      { row, key, principal: caller?.provider_id ?? `anonymous ${request.ip}`, params: context.params, body },
      async () => ({ status, answer: await handleRow(serving, context, response) }),
    )
    if (outcome.isReplay) response.setHeader('Idempotency-Replayed', 'true')
    sendJson(response, outcome.status, outcome.answer)
  } catch (error) {
    let refusal = refusalOf(error)
    if (noteRefusal) await noteRefusal(asked, refusal, isCounted, response).catch((another) => (refusal = refusalOf(another)))
    response.locals.refusal = refusal
    sendProblem(response, refusal, requestId)
  }
}

/** Serves the rows of the contract: parses, finds the caller, calls the handler, answers. */
export const mount = (app: Express, rows: Record<string, Endpoint>, handlers: Record<string, AnyHandler>, options: MountOptions) => {
  for (const [name, row] of Object.entries(rows)) {
    const handler = handlers[name]
    if (!handler) throw new Error(`No handler for ${row.method} ${row.path}`)
    const method = row.method.toLowerCase() as Lowercase<Endpoint['method']>
    const answer = serve(row, handler, options)
    options.table.add(row.method, row.path, answer)
    app[method](row.path, answer)
  }
}

/** Answers where the address is spelled as the contract spells it; what is left is Express's. */
export const answerPlain = (table: MountOptions['table'], request: Request, response: Response): boolean => {
  const found = table.find(request.method, request.url)
  if (!found) return false
  request.params = found.params
  void found.answer(request, response)
  return true
}

/** After all rows: a known path with another method is 405, everything else under `/api` is 404, both as problems. */
export const mountRefusals = (app: Express, rows: readonly Endpoint[]) => {
  for (const path of new Set(rows.map((row) => row.path))) {
    const allowed = rows.filter((row) => row.path === path).map((row) => row.method)
    app.all(path, (_request, response) => {
      response.setHeader('Allow', allowed.join(', '))
      throw new Refusal('method_not_allowed', `Allowed here: ${allowed.join(', ')}.`)
    })
  }
  app.all(/^\/(api|\.well-known)(\/|$)/, () => {
    throw new Refusal('not_found', errors.not_found.title)
  })
}
