import type { z } from 'zod'
import { type APIPromise, type PagePromise, toApiPromise, toPagePromise } from './api-promise.ts'
import { type CheckLinkOptions, checkLink, type LinkVerdict } from './check-link.ts'
import type { contract } from './contract/index.ts'
import { type Route, routes } from './contract/routes.ts'
import { type ClientOptions, checkRequestOptions, type RequestOptions, readBaseURL } from './options.ts'
import { type Answer, createTransport, type Transport } from './transport.ts'

type Contract = typeof contract

/** One string for each `:name` of a path. */
type Ids<Path extends string> = Path extends `${string}:${infer After}`
  ? [id: string, ...(After extends `${string}/${infer Rest}` ? Ids<`/${Rest}`> : [])]
  : []

type InputOf<Row> = Row extends { upload: true }
  ? [Blob]
  : Row extends { body: infer Body extends z.ZodType }
    ? [z.input<Body>]
    : Row extends { query: infer Query extends z.ZodType }
      ? [z.input<Query>]
      : []

type Arguments<Row> =
  InputOf<Row> extends [infer Input]
    ? Record<never, never> extends Input
      ? [input?: Input]
      : undefined extends Input
        ? [input?: Input]
        : [input: Input]
    : []

type AnswerOf<Row> = Row extends { response: infer Body extends z.ZodType } ? z.output<Body> : never

type PromiseOf<Row> = Row extends { list: infer List extends string }
  ? AnswerOf<Row> extends Record<List, (infer Item)[]>
    ? PagePromise<AnswerOf<Row>, Item>
    : never
  : APIPromise<AnswerOf<Row>>

type Method<Row> = Row extends { path: infer Path extends string }
  ? (...args: [...Ids<Path>, ...Arguments<Row>, options?: RequestOptions]) => PromiseOf<Row>
  : never

export type Methods = {
  readonly [Feature in keyof Contract]: { readonly [Name in keyof Contract[Feature]]: Method<Contract[Feature][Name]> }
}

/**
 * One method for each row of the contract: the path's parameters, then the body, query or file, then `RequestOptions`.
 * All throw `ApiError` (by kind), `ConnectionError`, `TimeoutError` or `AbortError`.
 */
export type Countersign = Methods & {
  readonly verifications: {
    /** The three answers about a link, a code or a token, live. Throws only `AbortError`. */
    check(input: string, options?: CheckLinkOptions): Promise<LinkVerdict>
  }
}

/** A client for one registry. It does nothing until a method is called. Throws TypeError for options it cannot use. */
export const createClient = (options: ClientOptions = {}): Countersign => createClientOn(createTransport(options), readBaseURL(options))

/** The client over any transport; tests bring their own. */
export const createClientOn = (transport: Transport, baseURL: string): Countersign => {
  const methods = createMethodsOn(transport)
  const { verifications } = methods
  // Not loaded on demand: a browser that was once without a network for it would never load it again.
  const check: Countersign['verifications']['check'] = (input, options) => checkLink(verifications.get, baseURL, input, options)
  return { ...methods, verifications: { ...verifications, check } }
}

/** The client without `verifications.check`, for pages that count their bytes and check no links. */
export const createMethods = (options: ClientOptions = {}): Methods => createMethodsOn(createTransport(options))

const createMethodsOn = (transport: Transport): Methods =>
  Object.fromEntries(
    Object.entries(routes).map(([feature, rows]) => [
      feature,
      Object.fromEntries(Object.entries(rows).map(([name, route]) => [name, createMethod(transport, route)])),
    ]),
  ) as unknown as Methods

/** Whether a call carries input: a route that writes has a body, a list or a search has a query. A test holds it against the contract. */
export const takesInput = ({ method, list, takesQuery }: Route) =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' || list !== undefined || takesQuery === true

type Page = { next_cursor: string | null }

// Not randomUUID, which browsers keep from pages without TLS.
const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const createMethod = (transport: Transport, route: Route) => {
  const idCount = route.path.match(/:\w+/g)?.length ?? 0
  const inputCount = takesInput(route) ? 1 : 0

  return (...args: unknown[]) => {
    const ids = args.slice(0, idCount) as string[]
    const input = (inputCount === 1 ? args[idCount] : undefined) ?? {}
    const options = { ...((args[idCount + inputCount] ?? {}) as RequestOptions) }
    const send = (query: Record<string, unknown>): Promise<Answer<Page>> => {
      const content = inputCount === 0 ? {} : route.upload ? { file: input as Blob } : route.method === 'GET' ? { query } : { body: input }
      return transport({ route, ids, ...content, options }) as Promise<Answer<Page>>
    }
    const first = (async () => {
      checkRequestOptions(options)
      if (args.length > idCount + inputCount + 1) throw new TypeError(`At most ${idCount + inputCount + 1} arguments`)
      if (route.idempotent !== undefined) options.idempotencyKey ??= createIdempotencyKey()
      return await send(input as Record<string, unknown>)
    })()
    if (route.list === undefined) return toApiPromise(first)
    return toPagePromise(first, route.list, (cursor) => send({ ...input, skip: undefined, cursor }))
  }
}
