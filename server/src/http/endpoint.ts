import {
  type Act,
  constantPresenceOf,
  type Editable,
  type Endpoint,
  invalidInput,
  maxBodyBytesOf,
  maxBodyValuesOf,
  notFound,
  type Staged,
  tagOfIncident,
  tagOfModel,
  tagOfProvider,
} from '@countersign/sdk/contract'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import { networkOf } from '../networks.ts'
import { actOf } from './act.ts'
import { type BodyParser, expectedBytes, largeBytes, readBytes } from './body.ts'
import { type Authenticate, type Caller, checkAllowed, findCaller, hasCredentials } from './callers.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import type { Idempotency } from './idempotency.ts'
import { type Peer, type PeerDeps, readPeer } from './peer.ts'
import { refusalOf, sendProblem } from './problems.ts'
import type { EndpointLimits, Progress, RateLimits } from './rate-limits.ts'
import type { Call } from './rate-rules.ts'
import { screenJson } from './screen.ts'
import { sendJson } from './send.ts'
import type { Shedding } from './shedding.ts'
import { readUpload, type Upload } from './upload.ts'

/** What a handler receives: everything parsed, and nothing of HTTP except who is at the other end. */
export interface Context<E extends Endpoint> {
  params: E['params'] extends z.ZodType ? z.output<E['params']> : undefined
  query: E['query'] extends z.ZodType ? z.output<E['query']> : undefined
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
  caller: E['caller'] extends 'provider' ? Caller : E['caller'] extends 'optional' ? Caller | undefined : undefined
  /** The record that the caller changed, by its tag. */
  ifMatch: string | undefined
  /** The file of an upload endpoint. */
  upload: E extends { upload: true } ? Upload : undefined
  /** The requesting deployment, read on demand. */
  peer: () => Promise<Peer | undefined>
  /** The call as a person approves it, computed on demand. */
  act: () => Act
  /** The requesting browser or program, if it identifies itself; read on demand. */
  visitor: () => Visitor
  /** Whether the request carries credentials, even if the endpoint ignores them; read on demand. */
  hasCredentials: () => boolean
}

export interface Visitor {
  /** The client’s address; behind trusted proxies, the one that they report. */
  address: string
  userAgent: string | null
  /** Whether a page of another site caused the request, as far as browsers report it (Fetch Metadata, `Sec-Fetch-Site`). */
  isFromElsewhere: boolean
  cookies: Cookies
}

export type Handler<E extends Endpoint> = (context: Context<E>) => Promise<z.output<E['response']>>

/** One handler for each endpoint of a feature: a missing one does not compile. */
export type Handlers<Endpoints extends Record<string, Endpoint>> = {
  [Name in keyof Endpoints]: Handler<Endpoints[Name]>
}

export type AnyHandler = (context: Context<Endpoint>) => Promise<unknown>

export interface GatedCall {
  endpoint: Endpoint
  context: Context<Endpoint>
  /** As it was sent. */
  body: unknown
}

/** Does the work of a call, throws if the call needs presence first, or stages it. */
export type Gate = <T>(call: GatedCall, work: () => Promise<T>) => Promise<{ staged: Staged } | { answer: T }>

export interface EndpointOptions extends PeerDeps {
  authenticate: Authenticate
  bodies: BodyParser
  idempotency: Idempotency
  rateLimits: RateLimits
  gate: Gate
  /** Undefined if no request is ever shed. */
  shedding: Pick<Shedding, 'of'> | undefined
  /** Whether browsers accept cookies that need TLS: over https, or on this machine. */
  hasSecureCookies: boolean
  /** Check responses against their schemas before they are sent. */
  checkAnswers: boolean
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
  // A malformed ID gets the same answer as an unknown one.
  if (!parsed.success) throw notFound()
  return parsed.data
}

const checkAnswer = (endpoint: Endpoint, answer: unknown) => {
  const checked = endpoint.response.safeParse(answer)
  if (checked.success) return
  throw new Error(
    `${endpoint.method} ${endpoint.path} answered what its contract does not allow: ${JSON.stringify(checked.error.issues.slice(0, 5))}`,
  )
}

/** `Sec-Fetch-Site` of our own pages, of an address typed by a person, and of programs. */
const ownSites: ReadonlySet<string | undefined> = new Set(['same-origin', 'none', undefined])

const visitorOf = (request: Request, response: Response, { hasSecureCookies }: EndpointOptions): Visitor => ({
  address: request.ip ?? '',
  userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
  isFromElsewhere: !ownSites.has(request.get('sec-fetch-site')),
  cookies: cookiesOf(request, response, { isSecure: hasSecureCookies }),
})

interface Serving {
  endpoint: Endpoint
  handle: AnyHandler
  options: EndpointOptions
  shed: ReturnType<Shedding['of']>
  limits: EndpointLimits | undefined
  /** Some calls need presence. */
  isGated: boolean
}

const tagOf: Record<Editable, (record: object) => string> = {
  provider: tagOfProvider,
  model: tagOfModel,
  incident: tagOfIncident,
}

const handleEndpoint = async (
  { endpoint, handle, options }: Serving,
  context: Context<Endpoint>,
  response: Response,
) => {
  const answer = await handle(context)
  if (options.checkAnswers) checkAnswer(endpoint, answer)
  if (endpoint.editTag && context.caller && typeof answer === 'object' && answer !== null)
    response.setHeader('ETag', tagOf[endpoint.editTag](answer))
  if (endpoint.maxAgeSeconds) response.setHeader('Cache-Control', `public, max-age=${endpoint.maxAgeSeconds}`)
  return answer
}

/** Calls that change something dangerous may need presence first, or are staged. */
const performEndpoint = async (
  serving: Serving,
  { context, body }: { context: Context<Endpoint>; body: unknown },
  response: Response,
) => {
  const { endpoint, options } = serving
  const status = endpoint.status ?? 200
  const handle = () => handleEndpoint(serving, context, response)
  if (!serving.isGated) return { status, answer: await handle() }
  const outcome = await options.gate({ endpoint, context, body }, handle)
  return 'staged' in outcome ? { status: 202, answer: outcome.staged } : { status, answer: outcome.answer }
}

/** Finds the caller and parses the request, within the limits. */
const readContext = async (
  { endpoint, options, limits }: Serving,
  { call, progress }: { call: Call; progress: Progress },
  request: Request,
  response: Response,
) => {
  const identify = async () =>
    endpoint.caller === 'public' ? undefined : findCaller(request, endpoint, options.authenticate)
  const maxBytes = maxBodyBytesOf(endpoint)
  const expected = endpoint.body || endpoint.upload ? expectedBytes(request, maxBytes) : 0
  progress.isLarge = expected > largeBytes
  if (progress.isLarge) {
    // A large body is read only from callers who may send it, and counts for their provider.
    call.caller = await identify()
    await limits?.checkLargeBody(call, expected)
  }
  const bytes = endpoint.body && (await readBytes(request, maxBytes))
  const upload = endpoint.upload && (await readUpload(request, maxBytes))
  // Reading a body may take minutes, during which the key may be revoked.
  const caller = await identify()
  call.caller = caller
  if (limits) {
    progress.isEarlyCounted = true
    await limits.checkEarly(call, response)
  }
  const body = endpoint.body && (await options.bodies.parse(bytes, maxBodyValuesOf(endpoint)))
  const context = {
    params: endpoint.params && readParams(endpoint.params, request),
    query: endpoint.query && readQuery(endpoint.query, request),
    body: endpoint.body && checkBody(endpoint.body, body),
    caller,
    ifMatch: endpoint.editTag && request.headers['if-match'],
    upload,
    peer: () => readPeer(request, bytes ?? new Uint8Array(), options),
    act: () => actOf(request, bytes),
    visitor: () => visitorOf(request, response, options),
    hasCredentials: () => hasCredentials(request),
  } as Context<Endpoint>
  if (limits) {
    if (context.body) call.body = context.body
    progress.isLateCounted = true
    await limits.checkLate(call, response)
  }
  return { context, body }
}

const answer = async (serving: Serving, request: Request, response: Response) => {
  const { endpoint, options, shed, limits } = serving
  const requestId: string = response.locals.requestId
  response.locals.route = `${endpoint.method} ${endpoint.path}`
  // Public reads may be called from any page, without credentials.
  if (endpoint.method === 'GET' && endpoint.caller === 'public') response.setHeader('Access-Control-Allow-Origin', '*')
  // `request.ip` walks the proxy headers at each call, so only rules that need the network read it.
  const call: Call = {
    network: () => networkOf(request.ip ?? ''),
    caller: undefined,
    params: request.params,
    body: {},
  }
  const progress: Progress = { isEarlyCounted: false, isLateCounted: false, isLarge: false }
  try {
    shed?.(request, response)
    const { context, body } = await readContext(serving, { call, progress }, request, response)
    const perform = () => performEndpoint(serving, { context, body }, response)
    const key = endpoint.idempotent && request.headers['idempotency-key']
    if (typeof key !== 'string') {
      const { status, answer } = await perform()
      if (limits?.noteSuccess) await limits.noteSuccess(call)
      return sendJson(response, status, answer)
    }
    const outcome = await options.idempotency.once(
      { endpoint, key, principal: call.caller?.provider_id ?? `anonymous ${request.ip}`, params: context.params, body },
      perform,
    )
    if (outcome.isReplay) response.setHeader('Idempotency-Replayed', 'true')
    sendJson(response, outcome.status, outcome.answer)
  } catch (error) {
    let refusal = refusalOf(error)
    if (limits)
      await limits.noteRefusal(call, refusal, progress, response).catch((another) => (refusal = refusalOf(another)))
    response.locals.refusal = refusal
    sendProblem(response, refusal, requestId)
  }
}

export type Answer = (request: Request, response: Response) => Promise<void>

/** Serves one endpoint of the contract: applies limits, parses, authenticates, calls the handler. */
export const answerEndpoint = (endpoint: Endpoint, handle: AnyHandler, options: EndpointOptions): Answer => {
  const shed = options.shedding?.of(endpoint)
  const isGated = constantPresenceOf(endpoint) !== 'none'
  const serving = { endpoint, handle, options, shed, limits: options.rateLimits.ofEndpoint(endpoint), isGated }
  return (request, response) => answer(serving, request, response)
}

/** A stored call, and who makes it now. */
interface Repeated extends Pick<Context<Endpoint>, 'act' | 'visitor'> {
  params: unknown
  body: unknown
  ifMatch: string | undefined
  caller: Caller
}

/** Calls an endpoint with values that were stored, as someone who may call it now. */
export const repeatCall = (
  { endpoint, handle }: { endpoint: Endpoint; handle: AnyHandler },
  { params, body, ...rest }: Repeated,
): Promise<unknown> => {
  checkAllowed(endpoint, rest.caller)
  return handle({
    ...rest,
    params: endpoint.params?.parse(params),
    query: undefined,
    body: endpoint.body && checkBody(endpoint.body, body),
    upload: undefined,
    peer: () => Promise.resolve(undefined),
    hasCredentials: () => true,
  } as unknown as Context<Endpoint>)
}
