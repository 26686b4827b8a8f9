import type { z } from 'zod'
import type { Editable } from './edit-tag.ts'
import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'
import { constantPresenceOf, type Presence } from './presence.ts'
import type { Route } from './routes.ts'

/**
 * The callers of an endpoint. `public`: anyone; credentials are ignored. `optional`: anyone; valid credentials change the answer.
 * `provider`: requires a valid key.
 */
export type Caller = 'public' | 'optional' | 'provider'

/**
 * What a key can be restricted to. Keys without scopes and browser sessions may do everything. `read` shows the provider's own
 * records, `links` mints, binds and lists links, and the others change what they name.
 */
export const scopes = ['read', 'links', 'models', 'deployments', 'incidents', 'account'] as const
/** What a key can be restricted to. */
export type Scope = (typeof scopes)[number]
/** What can be requested for a new key: scopes, or `full` for a key without restrictions. */
export const keyScopes = [...scopes, 'full'] as const
/** The scope of a trusted publisher's token. It allows only the endpoints marked `publisher`. API keys cannot have it. */
export const publisherScope = 'publish'
/** The scope of a workload's token. It allows only the endpoints marked `workload`. API keys cannot have it. */
export const workloadScope = 'mint'

/** An endpoint of the contract: its route, schemas and errors. */
export interface Endpoint extends Route {
  /** What it does, in one line. */
  summary: string
  /** The callers it accepts. */
  caller: Caller
  /**
   * The scope a restricted key needs. Without it, an optional endpoint reads like a stranger and cannot write. `any`: every valid
   * key. `full`: only a key without restrictions, or a session. Default: `read` for a GET, else `account`.
   */
  scope?: Scope | 'any' | 'full'
  /** Another scope that also allows the call. */
  orScope?: Scope
  /** A token of a trusted publisher may call it. */
  publisher?: true
  /** A token of a workload may call it. */
  workload?: true
  /** It is about the person who signed in: any role may call it. */
  personal?: true
  /** Only owners may call it, or a key made by an owner. */
  ownersOnly?: true
  /** A deactivated provider may still call it. */
  whileDeactivated?: true
  /** Schema of the path’s parameters. */
  params?: z.ZodType
  /** Schema of the query. */
  query?: z.ZodType
  /** Schema of the body. */
  body?: z.ZodType
  /**
   * The record it answers with. Its `ETag` is sent to providers, and a change with another one in `If-Match` is rejected, so that no one
   * overwrites what someone else has just changed.
   */
  editTag?: Editable
  /** Headers that the endpoint reads: lower-case name and description. */
  headers?: Readonly<Record<string, string>>
  /** The largest body. */
  maxBodyBytes?: number
  /** How many values a JSON body may have. */
  maxBodyValues?: number
  /** Schema of the response. */
  response: z.ZodType
  /** The status of a successful response. Default 200. */
  status?: 200 | 201 | 202
  /** How long a successful response may be cached. Default: not cached. */
  maxAgeSeconds?: number
  /** Errors in addition to those that every endpoint shares. */
  errors?: readonly ErrorCode[]
}

/** Declares an endpoint: its route with its schemas and errors. */
export const endpoint = <R extends Route, E extends Omit<Endpoint, keyof Route>>(route: R, definition: E) => ({
  ...route,
  ...definition,
})

/** A feature's endpoints, one for each of its routes. */
export type Endpoints<Routes extends Record<string, Route>> = { [Name in keyof Routes]: Endpoint & Routes[Name] }

const sharedErrors = ['internal', 'unavailable', 'rate_limited'] as const
const bodyErrors = ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'] as const

const presenceErrors: Record<Presence, readonly ErrorCode[]> = {
  none: [],
  stop: ['too_many_changes'],
  needed: ['presence_required', 'too_many_changes'],
  personal: ['presence_required'],
}

/** Whether a call of a key may be staged: the response then has the status 202. */
export const mayBeStaged = (endpoint: Endpoint): boolean =>
  !['none', 'personal'].includes(constantPresenceOf(endpoint) ?? 'needed')

/** The scope that a restricted key needs for an endpoint. */
export const neededScopeOf = ({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): Scope | 'any' | 'full' =>
  scope ?? (method === 'GET' ? 'read' : 'account')

/** For reads that are open to anyone, a key without the scope counts as no key. */
const needsScope = (endpoint: Endpoint) =>
  neededScopeOf(endpoint) !== 'any' &&
  (endpoint.caller === 'provider' || (endpoint.caller === 'optional' && endpoint.method !== 'GET'))

/** Headers of endpoints that change a record. */
export const ifMatchHeader = {
  'if-match':
    'The ETag of the record that you changed. If it has changed since, nothing is saved: 412 changed_elsewhere',
}

/** All errors that an endpoint may return. */
export const refusalsOf = (endpoint: Endpoint): ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...(endpoint.errors ?? []),
    ...(endpoint.caller === 'provider' || (endpoint.caller === 'optional' && endpoint.method !== 'GET')
      ? (['unauthorized'] as const)
      : []),
    ...(endpoint.whileDeactivated ||
    endpoint.caller === 'public' ||
    (endpoint.caller === 'optional' && endpoint.method === 'GET')
      ? []
      : (['provider_deactivated', 'provider_suspended'] as const)),
    ...(needsScope(endpoint) ? (['forbidden'] as const) : []),
    ...presenceErrors[constantPresenceOf(endpoint) ?? 'needed'],
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(endpoint.editTag && endpoint.method !== 'GET' ? (['changed_elsewhere'] as const) : []),
    ...(endpoint.params || endpoint.query ? (['bad_request'] as const) : []),
    ...(endpoint.query ? (['validation_failed'] as const) : []),
    ...(endpoint.body || endpoint.upload ? bodyErrors : []),
    ...(endpoint.idempotent
      ? (['idempotency_mismatch', 'idempotency_in_flight', 'idempotency_unfinished', 'already_created'] as const)
      : []),
    ...sharedErrors,
  ]),
]

/** The largest body of an endpoint, in bytes. */
export const maxBodyBytesOf = (endpoint: Endpoint) => endpoint.maxBodyBytes ?? limits.bodyBytes
/** How many values a JSON body of an endpoint may have. */
export const maxBodyValuesOf = (endpoint: Endpoint) => endpoint.maxBodyValues ?? limits.bodyValues
