import { toApiPromise, toPagePromise } from './api-promise.ts'
import { type CheckLinkOptions, checkLink, type LinkVerdict } from './check-link.ts'
import { type Route, routes } from './contract/routes.ts'
import type { Methods, VerificationMethods } from './methods.ts'
import { type ClientOptions, checkRequestOptions, type RequestOptions, readBaseURL } from './options.ts'
import { type RequestAny, requestBy } from './raw-request.ts'
import { registerModelBy } from './register-model.ts'
import { type Answer, createTransport, type Transport } from './transport.ts'

/** The methods of `verifications`, with `check`. */
export interface LinkMethods extends VerificationMethods {
  /**
   * Checks a link, code or token with the registry.
   *
   * Only the code or token is sent, never the text around it. A link of another origin is `foreign_registry`, without a request.
   *
   * @param input - A link, its code, its token, or a text that contains one of them.
   * @param options - What to expect and to accept; see {@link CheckLinkOptions}.
   * @returns A {@link LinkVerdict}: `verified`, `not_verified` with the reason, or `unknown` if the registry could not be asked.
   * @throws `AbortError` if `signal` aborts, `TypeError` for invalid options. A network failure is `unknown`.
   * @example
   * ```ts
   * const verdict = await client.verifications.check('W904-2CKW-GDNC-X7S1', { expect: { provider_domain: 'acme.example' } })
   * if (verdict.result === 'verified') console.log(provenDomain(verdict.verification))
   * ```
   */
  check(input: string, options?: CheckLinkOptions | undefined): Promise<LinkVerdict>
}

/**
 * A client for one registry: one method for each endpoint, grouped by subject.
 *
 * A method takes the IDs in its path, then the body, query or file, then `RequestOptions`. Every method throws an `ApiError` if the
 * registry rejects the call, `ConnectionError` or `TimeoutError` without an answer, `AbortError` if its `signal` aborts, and
 * `TypeError` for invalid options.
 */
export interface Countersign extends Methods {
  /** Links: minting, checking, and binding responses. */
  readonly verifications: LinkMethods
  /**
   * Calls any address of the registry, with the client's key, timeouts and retries: for endpoints that this version doesn't know.
   *
   * @param method - HTTP method.
   * @param path - Path from `/`; it may have a query.
   * @param request - `query`, `body` (sent as JSON), and the options of one call.
   * @returns The parsed JSON.
   * @throws The same errors as every method.
   * @example
   * ```ts
   * const { models } = (await client.request('GET', '/api/v1/models/public', { query: { limit: 5 } })) as ModelList
   * ```
   */
  request: RequestAny
}

/**
 * Creates a client for one registry. It does nothing until a method is called.
 *
 * @param options - Address, key, timeouts, retries and logging; see {@link ClientOptions}.
 * @returns The client: {@link Countersign}.
 * @throws `TypeError` that names the option, if one is unknown or invalid; `InsecureHttpError` for plain http to another machine.
 * @example
 * ```ts
 * const client = createClient({ baseURL: 'https://registry.example', apiKey: process.env.COUNTERSIGN_API_KEY })
 * const link = await client.verifications.create({ model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm' })
 * console.log(link.verification_url)
 * ```
 */
export const createClient = (options: ClientOptions = {}): Countersign =>
  createClientOn(createTransport(options), readBaseURL(options))

/** The client on any transport, for tests. */
export const createClientOn = (transport: Transport, baseURL: string): Countersign => {
  const methods = createMethodsOn(transport)
  const { verifications } = methods
  // Not loaded on demand: after one failed import, a browser never tries again.
  const check: Countersign['verifications']['check'] = (input, options) =>
    checkLink(verifications.get, baseURL, input, options)
  return { ...methods, verifications: { ...verifications, check }, request: requestBy(transport) }
}

/**
 * Creates a client without `verifications.check`, which is smaller.
 *
 * @param options - The same as for `createClient`.
 * @returns The methods: {@link Methods}.
 * @throws The same as `createClient`.
 * @example
 * ```ts
 * const methods = createMethods({ baseURL: 'https://registry.example' })
 * const model = await methods.models.get('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')
 * ```
 */
export const createMethods = (options: ClientOptions = {}): Methods => createMethodsOn(createTransport(options))

const createMethodsOn = (transport: Transport): Methods => {
  const methods = Object.fromEntries(
    Object.entries(routes).map(([feature, featureRoutes]) => [
      feature,
      Object.fromEntries(
        Object.entries(featureRoutes).map(([name, route]) => [
          name,
          createMethod(transport, `${feature}.${name}`, route),
        ]),
      ),
    ]),
  ) as unknown as Methods
  const { models } = methods
  return { ...methods, models: { ...models, register: registerModelBy(models) } }
}

/** Whether a call has input: writes have a body, few deletions too, lists and searches a query. A test compares this with the contract. */
export const takesInput = ({ method, list, takesQuery, takesBody }: Route) =>
  method.startsWith('P') || list !== undefined || takesQuery === true || takesBody === true

type Page = { next_cursor: string | null }

// Not randomUUID, which browsers only offer with TLS.
const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const createMethod = (transport: Transport, call: string, route: Route) => {
  const idCount = route.path.match(/:\w+/g)?.length ?? 0
  const hasInput = takesInput(route)

  return (...args: unknown[]) => {
    const ids = args.splice(0, idCount) as string[]
    const input = (hasInput ? args.shift() : undefined) ?? {}
    const options = { ...(args.shift() as RequestOptions | undefined) }
    const send = (query: Record<string, unknown>): Promise<Answer<Page>> => {
      const content = !hasInput
        ? {}
        : route.upload
          ? { file: input as Blob }
          : route.method === 'GET'
            ? { query }
            : { body: input }
      return transport({ call, route, ids, ...content, options }) as Promise<Answer<Page>>
    }
    const first = (async () => {
      checkRequestOptions(call, options)
      if (args.length > 0) throw new TypeError(`${call}: too many arguments`)
      if (route.idempotent !== undefined) options.idempotencyKey ??= createIdempotencyKey()
      return await send(input as Record<string, unknown>)
    })()
    if (route.list === undefined) return toApiPromise(first)
    return toPagePromise(first, route.list, (cursor) => send({ ...input, skip: undefined, cursor }))
  }
}
