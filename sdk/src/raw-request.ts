import { type APIPromise, toApiPromise } from './api-promise.ts'
import type { Route } from './contract/routes.ts'
import { checkRequestOptions, type RequestOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** The query, body and options of `client.request`. */
export interface RawRequest extends RequestOptions {
  /** Added to the query in the path. */
  query?: Readonly<Record<string, unknown>> | undefined
  /** Sent as JSON. */
  body?: unknown
}

/** Calls any address of the registry. */
export type RequestAny = (method: Route['method'], path: string, request?: RawRequest) => APIPromise<unknown>

export const requestBy =
  (transport: Transport): RequestAny =>
  (method, path, { query, body, ...options } = {}) =>
    toApiPromise(
      (async () => {
        checkRequestOptions('request', options)
        if (!path.startsWith('/')) throw new TypeError('request: "path" must begin with /')
        const { pathname, searchParams } = new URL(path.replaceAll(':', '%3A'), 'http://x')
        return transport({
          call: 'request',
          route: { method, path: pathname as Route['path'] },
          ids: [],
          query: { ...Object.fromEntries(searchParams), ...query },
          ...(body !== undefined && { body }),
          options,
        })
      })(),
    )
