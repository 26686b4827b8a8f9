import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'
import type { Route } from './routes.ts'

/**
 * Who may call. `public`: anyone, credentials are ignored. `optional`: anyone, valid credentials change the answer.
 * `provider`: only with a valid key.
 */
export type Caller = 'public' | 'optional' | 'provider'

/**
 * What a key may be restricted to. A key without scopes may do everything; a browser session, too. `read` shows the
 * provider's own records, `links` mints and binds links and lists them, the others change what they name.
 */
export const scopes = ['read', 'links', 'models', 'deployments', 'incidents', 'account'] as const
export type Scope = (typeof scopes)[number]
/** What a new key is asked for with: scopes, or `full` for a key without restrictions. */
export const keyScopes = [...scopes, 'full'] as const
/** What a token of a trusted publisher may do: the rows that say so, and nothing else. No key can be given it. */
export const publisherScope = 'publish'

/** One row of the contract: a route, its schemas and what it may refuse. */
export interface Endpoint extends Route {
  summary: string
  caller: Caller
  /**
   * What a restricted key needs; without it an optional row reads as anyone does and writes nothing. `any`: every valid key.
   * `full`: only a key without restrictions, or a session. Default: `read` for a GET, else `account`.
   */
  scope?: Scope | 'any' | 'full'
  /** Another scope that is enough. */
  orScope?: Scope
  /** A token of a trusted publisher may call it. */
  publisher?: true
  /** A provider that took itself off the registry may still call it. */
  whileDeactivated?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Headers that the endpoint reads, by lower-case name, with what they mean. */
  headers?: Readonly<Record<string, string>>
  maxBodyBytes?: number
  response: z.ZodType
  /** The status of a good answer. Default 200. */
  status?: 200 | 201
  /** How long a good answer may be kept. Default: not at all. */
  maxAgeSeconds?: number
  /** Refusals beyond those that every endpoint shares. */
  errors?: readonly ErrorCode[]
}

export const endpoint = <R extends Route, E extends Omit<Endpoint, keyof Route>>(route: R, row: E) => ({ ...route, ...row })

/** A feature's rows, one for each of its routes. */
export type Endpoints<Routes extends Record<string, Route>> = { [Name in keyof Routes]: Endpoint & Routes[Name] }

const refusedAlways = ['internal', 'unavailable', 'rate_limited'] as const
const refusedWithBody = ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'] as const

/** Which scope a restricted key needs to count on a row. */
export const neededScopeOf = (row: Pick<Endpoint, 'method' | 'scope'>): Scope | 'any' | 'full' =>
  row.scope ?? (row.method === 'GET' ? 'read' : 'account')

/** What anyone may read, a key without the scope reads as anyone does. */
const refusesScopes = (row: Endpoint) =>
  neededScopeOf(row) !== 'any' && (row.caller === 'provider' || (row.caller === 'optional' && row.method !== 'GET'))

/** All refusals that an endpoint may answer. */
export const refusalsOf = (row: Endpoint): ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...(row.errors ?? []),
    ...(row.caller === 'provider' || (row.caller === 'optional' && row.method !== 'GET') ? (['unauthorized'] as const) : []),
    ...(row.whileDeactivated || row.caller === 'public' || (row.caller === 'optional' && row.method === 'GET')
      ? []
      : (['provider_deactivated'] as const)),
    ...(refusesScopes(row) ? (['forbidden'] as const) : []),
    ...(row.params ? (['not_found'] as const) : []),
    ...(row.params || row.query ? (['bad_request'] as const) : []),
    ...(row.query ? (['validation_failed'] as const) : []),
    ...(row.body || row.upload ? refusedWithBody : []),
    ...(row.idempotent ? (['idempotency_mismatch', 'idempotency_in_flight', 'idempotency_unfinished', 'already_created'] as const) : []),
    ...refusedAlways,
  ]),
]

export const maxBodyBytesOf = (row: Endpoint) => row.maxBodyBytes ?? limits.bodyBytes
