import type { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { type ErrorCode, errors, notFound, Refusal } from '../contract/errors.ts'
import { contract } from '../contract/index.ts'
import { invalidInput, problemOf } from '../contract/problem.ts'

type Contract = typeof contract

/** `models.register`: the feature and the method, as on the client. */
export type RowName = {
  [Feature in keyof Contract & string]: `${Feature}.${keyof Contract[Feature] & string}`
}[keyof Contract & string]

type RowOf<Name> = Name extends `${infer Feature}.${infer Row}`
  ? Feature extends keyof Contract
    ? Row extends keyof Contract[Feature]
      ? Contract[Feature][Row]
      : never
    : never
  : never

type Parsed<Row, Part extends string> =
  Row extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

/** A call's input, parsed by the contract. */
export interface MockRequest<Name = RowName> {
  /** The method that was called, such as `models.get`. */
  row: Name
  /** Parameters of the path. */
  params: Parsed<RowOf<Name>, 'params'>
  /** The parsed query. */
  query: Parsed<RowOf<Name>, 'query'>
  /** The parsed body. */
  body: Parsed<RowOf<Name>, 'body'>
  /** The uploaded file, if the endpoint takes one. */
  file: Blob | undefined
}

type AnswerOf<Name> = RowOf<Name> extends { response: infer Schema extends z.ZodType } ? z.input<Schema> : never

/** The body of a successful response. Throws `Refusal` (of `@countersign/sdk/contract`) to reject the call. */
export type MockAnswer<Name> = (request: MockRequest<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>>

export type AnyAnswer = (request: MockRequest) => unknown

export interface Door {
  address: string
  apiKey: string
  /** Receives each call before it is answered; may throw a refusal. */
  note(request: MockRequest): void
  answerOf(row: RowName): AnyAnswer | undefined
}

/** Sets `Retry-After`. */
export class LaterRefusal extends Refusal {
  constructor(code: ErrorCode, retryAfterSeconds: number) {
    super(code, undefined, {}, { retryAfterSeconds })
  }
}

/** A mistake in the test, so that retrying would change nothing. */
class Misuse extends Error {}

interface Place {
  name: RowName
  row: Endpoint
  pattern: RegExp
}

const placeholders = ({ path }: Endpoint) => path.split(':').length

const places: readonly Place[] = Object.entries<Record<string, Endpoint>>(contract)
  .flatMap(([feature, rows]) =>
    Object.entries(rows).map(([name, row]) => ({
      name: `${feature}.${name}` as RowName,
      row,
      pattern: new RegExp(`^${row.path.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    })),
  )
  // `/models/public` before `/models/:id`.
  .sort((one, other) => placeholders(one.row) - placeholders(other.row))

export const rowNamed = (name: RowName): Endpoint => {
  const place = places.find((candidate) => candidate.name === name)
  if (place === undefined) throw new TypeError(`The contract has no endpoint ${name}`)
  return place.row
}

/** A `fetch` that matches endpoints, parses input, checks the key and returns errors by the contract. */
export const createDoor = (door: Door): typeof globalThis.fetch => {
  let received = 0
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const requestId = `req_${++received}`
    const answer = await answerCall(door, request).catch((error: unknown) => errorResponse(error, requestId))
    request.signal.throwIfAborted()
    answer.headers.set('X-Request-Id', requestId)
    return answer
  }
}

const answerCall = async (door: Door, request: Request): Promise<Response> => {
  const { place, params } = findPlace(door.address, request)
  const { name, row } = place
  checkKey(row, keyOf(request), door.apiKey)
  const call = {
    row: name,
    params: row.params && parse(row.params.safeParse(params), notFound),
    query: row.query && parse(row.query.safeParse(queryOf(request)), (error) => invalidInput('query', error)),
    body: row.body && parse(row.body.safeParse(await readBody(request)), (error) => invalidInput('body', error)),
    file: row.upload ? await readFile(request) : undefined,
  } as MockRequest
  door.note(call)
  const answer = door.answerOf(name)
  if (answer === undefined)
    throw new Misuse(`The mock registry has no answer for ${name}; give one with answer('${name}', …)`)
  const body = await answer(call)
  const checked = row.response.safeParse(body)
  if (!checked.success)
    throw new Misuse(
      `The answer given for ${name} is not the contract’s: ${JSON.stringify(checked.error.issues.slice(0, 3))}`,
    )
  return Response.json(body, { status: row.status ?? 200 })
}

const findPlace = (address: string, request: Request) => {
  const url = new URL(request.url)
  if (!`${url.origin}${url.pathname}`.startsWith(`${address}/`))
    throw new TypeError('fetch failed', { cause: new Error(`The mock registry answers only at ${address}`) })
  const path = `${url.origin}${url.pathname}`.slice(address.length)
  const found = places.filter(({ pattern }) => pattern.test(path))
  const place = found.find(({ row }) => row.method === request.method)
  if (place === undefined) throw new Refusal(found.length > 0 ? 'method_not_allowed' : 'not_found')
  const named = Object.entries(place.pattern.exec(path)?.groups ?? {})
  return { place, params: Object.fromEntries(named.map(([name, value]) => [name, decodeURIComponent(value)])) }
}

/** Rejects a wrong key on endpoints that check it. Public reads need no key. */
const checkKey = ({ caller, method }: Endpoint, given: string | undefined, apiKey: string) => {
  if (caller === 'public' || given === apiKey) return
  if (caller === 'provider' || (given !== undefined && method !== 'GET')) throw new Refusal('unauthorized')
}

const parse = (result: z.ZodSafeParseResult<unknown>, refuse: (error: z.ZodError) => Refusal) => {
  if (!result.success) throw refuse(result.error)
  return result.data
}

const queryOf = (request: Request) =>
  Object.fromEntries([...new URL(request.url).searchParams].filter(([, value]) => value !== ''))

const readBody = async (request: Request): Promise<unknown> => {
  try {
    const text = await request.text()
    return text === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new Refusal('bad_request', 'The body is not JSON.', {}, { cause })
  }
}

const readFile = async (request: Request) => {
  const file = (await request.formData()).get('file')
  return typeof file === 'string' || file === null ? undefined : file
}

const keyOf = ({ headers }: Request) =>
  headers.get('X-API-Key') ?? headers.get('Authorization')?.replace(/^Bearer /, '')

const errorResponse = (error: unknown, requestId: string): Response => {
  if (error instanceof Refusal) return problem(error, requestId, retryHeader(error))
  if (!(error instanceof Misuse)) throw error
  return problem(new Refusal('internal', error.message), requestId, { 'X-Should-Retry': 'false' })
}

const retryHeader = (refusal: Refusal): Record<string, string> => {
  if (refusal instanceof LaterRefusal) return { 'Retry-After': String(refusal.retryAfterSeconds) }
  return 'retryable' in errors[refusal.code] ? { 'Retry-After': '0' } : {}
}

const problem = (refusal: Refusal, requestId: string, headers: Record<string, string>) =>
  Response.json(problemOf(refusal, requestId), {
    status: errors[refusal.code].status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  })
