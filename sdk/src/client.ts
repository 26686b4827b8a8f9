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

type InputOf<E> = E extends { upload: true }
  ? [Blob]
  : E extends { body: infer Body extends z.ZodType }
    ? [z.input<Body>]
    : E extends { query: infer Query extends z.ZodType }
      ? [z.input<Query>]
      : []

type Arguments<E> =
  InputOf<E> extends [infer Input]
    ? Record<never, never> extends Input
      ? [input?: Input]
      : undefined extends Input
        ? [input?: Input]
        : [input: Input]
    : []

type AnswerOf<E> = E extends { response: infer Body extends z.ZodType } ? z.output<Body> : never

type PromiseOf<E> = E extends { list: infer List extends string }
  ? AnswerOf<E> extends Record<List, (infer Item)[]>
    ? PagePromise<AnswerOf<E>, Item>
    : never
  : APIPromise<AnswerOf<E>>

type Method<E> = E extends { path: infer Path extends string }
  ? (...args: [...Ids<Path>, ...Arguments<E>, options?: RequestOptions]) => PromiseOf<E>
  : never

export type Methods = {
  readonly [Feature in keyof Contract]: { readonly [Name in keyof Contract[Feature]]: Method<Contract[Feature][Name]> }
}

/**
 * One method for each endpoint. Arguments: the path's parameters, then the body, query or file, then `RequestOptions`. Methods
 * throw an `ApiError`, `ConnectionError`, `TimeoutError` or `AbortError`.
 */
export type Countersign = Methods & {
  readonly verifications: {
    /** Checks a link, code or token with the registry: verified, not verified or unknown. Throws only `AbortError`. */
    check(input: string, options?: CheckLinkOptions): Promise<LinkVerdict>
  }
}

/** Creates a client for one registry. It does nothing until a method is called. Throws TypeError for invalid options. */
export const createClient = (options: ClientOptions = {}): Countersign =>
  createClientOn(createTransport(options), readBaseURL(options))

/** The client on any transport, for tests. */
export const createClientOn = (transport: Transport, baseURL: string): Countersign => {
  const methods = createMethodsOn(transport)
  const { verifications } = methods
  // Not loaded on demand: after one failed import, a browser never tries again.
  const check: Countersign['verifications']['check'] = (input, options) =>
    checkLink(verifications.get, baseURL, input, options)
  return { ...methods, verifications: { ...verifications, check } }
}

/** The client without `verifications.check`, which is smaller. */
export const createMethods = (options: ClientOptions = {}): Methods => createMethodsOn(createTransport(options))

const createMethodsOn = (transport: Transport): Methods =>
  Object.fromEntries(
    Object.entries(routes).map(([feature, featureRoutes]) => [
      feature,
      Object.fromEntries(Object.entries(featureRoutes).map(([name, route]) => [name, createMethod(transport, route)])),
    ]),
  ) as unknown as Methods

/** Whether a call has input: writes have a body, lists and searches a query. A test compares this with the contract. */
export const takesInput = ({ method, list, takesQuery }: Route) =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' || list !== undefined || takesQuery === true

type Page = { next_cursor: string | null }

// Not randomUUID, which browsers only offer with TLS.
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
      const content =
        inputCount === 0
          ? {}
          : route.upload
            ? { file: input as Blob }
            : route.method === 'GET'
              ? { query }
              : { body: input }
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
