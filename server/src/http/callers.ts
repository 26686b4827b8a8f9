import type { IncomingMessage } from 'node:http'
import {
  type Endpoint,
  neededScopeOf,
  publisherScope,
  Refusal,
  type Role,
  type Scope,
  workloadScope,
} from '@countersign/sdk/contract'

/** The caller, proven by a credential. */
export interface Caller {
  provider_id: string
  /** Who is signed in; null for a key. */
  person_id: string | null
  /** The person’s role in the provider; for a key, that of the person who made it. */
  role: Role
  /** ID of the key or session that acts, or of the publisher with its job; the trail records it. */
  actor: string
  /** ID of the key that was presented; null for a session. */
  key_id: string | null
  /** The session, or the session that the console key belongs to. */
  session_id: string | null
  /** The session belongs to a machine that a person approved: it never has presence. */
  isDevice: boolean
  /** What the role, the restricted key or the token of a publisher or a workload allows; null: everything. */
  scopes: readonly (Scope | typeof publisherScope | typeof workloadScope)[] | null
  /** What its owner is shown as the key: the key that was presented, or the console key of the session. */
  credential: string
  /** The provider deactivated itself: it may only read its own data, secure its account and reactivate. */
  isDeactivated: boolean
  /** The registry was restored: until its owner confirms the account, only sessions work, and they cannot mint. */
  isSuspended: boolean
}

/** `expired` is returned only for the complete key; undefined if it is unknown, revoked or not a credential. */
export type Authenticate = (
  credential: string,
  circumstances: { isUnattended: boolean },
) => Promise<Caller | 'expired' | undefined>

/** The console sends this header if no one has used the page for five minutes. */
const unattendedHeader = 'x-unattended'

/** `X-API-Key` and `Authorization: Bearer` are equal; if both are sent, `X-API-Key` counts and must be valid. */
const credentialOf = (request: IncomingMessage): string | undefined => {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key.trim()
  const [, bearer] = /^Bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (bearer) return bearer
  return request.headers.authorization === undefined ? undefined : ''
}

/** Whether the request carries any, valid or not. */
export const hasCredentials = (request: IncomingMessage): boolean => credentialOf(request) !== undefined

const deactivated =
  'This provider is deactivated. Reactivate it first, with POST /api/v1/providers/{id}/reactivate or `countersign providers reactivate`.'
const suspended =
  'The registry was restored from a backup, and the provider has not confirmed its account since. Sign in at the registry’s website with a new password, remove what should no longer work, and confirm.'
const missing = 'This requires an API key, in the header X-API-Key or as a bearer token.'
const unknownKey =
  'The API key is invalid: it may be mistyped or revoked. Check it, or use another key of your provider.'
const expiredKey = 'The API key has expired. Create a new one, with another key or after signing in.'
const endedSession = 'You are not signed in, or your session has ended. Sign in again.'

/** Check only the form of an unknown credential, so that nothing reveals whether it ever existed. */
const reasonFor = (credential: string | undefined, found: Caller | 'expired' | undefined): string => {
  if (credential === undefined) return missing
  if (found === 'expired') return expiredKey
  return /^cs[sc]_/.test(credential) ? endedSession : unknownKey
}

const isAllowed = (endpoint: Endpoint, { scopes, role, person_id }: Caller): boolean => {
  const needed = neededScopeOf(endpoint)
  if (endpoint.personal && person_id !== null) return true
  if (endpoint.ownersOnly && role !== 'owner') return false
  if (scopes === null) return true
  // Only what the endpoint allows, not even what any key may do.
  if (scopes.includes(publisherScope)) return endpoint.publisher === true
  if (scopes.includes(workloadScope)) return endpoint.workload === true
  return (
    needed === 'any' ||
    [needed, endpoint.orScope].some((scope) => scope !== undefined && scope !== 'full' && scopes.includes(scope))
  )
}

const notAllowed = (endpoint: Endpoint, { scopes, role, person_id }: Caller) => {
  if (endpoint.ownersOnly && role !== 'owner')
    return new Refusal('forbidden', 'Only owners of the provider may do this, or a key that an owner made.')
  if (person_id !== null)
    return new Refusal(
      'forbidden',
      `Your role in this provider is ${role}, which does not allow this. Ask an owner for another role.`,
    )
  if (scopes?.includes(publisherScope))
    return new Refusal(
      'forbidden',
      'A token of a trusted publisher can only register models and versions and upload bundles. Use a key for this.',
    )
  if (scopes?.includes(workloadScope))
    return new Refusal('forbidden', 'A token of a workload can only mint links and bind answers. Use a key for this.')
  const needed = neededScopeOf(endpoint)
  const way =
    needed === 'full'
      ? 'Use a key without restrictions, or sign in.'
      : `Use a key with the scope ${needed}, or one without restrictions.`
  return new Refusal('forbidden', `This key may only be used for ${scopes?.join(', ')}. ${way}`)
}

/** Throws unless this caller may call the endpoint. */
export const checkAllowed = (endpoint: Endpoint, caller: Caller): void => {
  if (caller.isDeactivated && !endpoint.whileDeactivated) throw new Refusal('provider_deactivated', deactivated)
  if (!isAllowed(endpoint, caller)) throw notAllowed(endpoint, caller)
}

export const findCaller = async (
  request: IncomingMessage,
  endpoint: Endpoint,
  authenticate: Authenticate,
): Promise<Caller | undefined> => {
  if (endpoint.caller === 'public') return undefined
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const credential = credentialOf(request)
  const isUnattended = isRead && request.headers[unattendedHeader] !== undefined
  const found = credential ? await authenticate(credential, { isUnattended }) : undefined
  // The key may have been revoked after the backup.
  if (found && found !== 'expired' && found.isSuspended && found.session_id === null) {
    if (endpoint.caller === 'provider' || !isRead) throw new Refusal('provider_suspended', suspended)
    return undefined
  }
  if (found && found !== 'expired' && (!found.isDeactivated || endpoint.whileDeactivated)) {
    if (isAllowed(endpoint, found)) return found
    if (endpoint.caller === 'provider' || !isRead) throw notAllowed(endpoint, found)
    return undefined
  }
  const isRefused = endpoint.caller === 'provider' || (credential !== undefined && !isRead)
  if (found && found !== 'expired' && isRefused) throw new Refusal('provider_deactivated', deactivated)
  if (isRefused) throw new Refusal('unauthorized', reasonFor(credential, found))
  return undefined
}
