import type { IncomingMessage } from 'node:http'
import { type Endpoint, neededScopeOf, publisherScope, Refusal, type Scope } from '@countersign/sdk/contract'

/** Who calls, proven by a credential. */
export interface Caller {
  provider_id: string
  /** Id of the key or session that acts, or of the publisher with its job; the trail names it. */
  actor: string
  /** Of the key that was presented; nothing for a session. */
  key_id: string | null
  /** Of the session, or of the one that the console key belongs to. */
  session_id: string | null
  /** What a restricted key or a publisher's token may do; nothing: everything. */
  scopes: readonly (Scope | typeof publisherScope)[] | null
  /** What its bearer is shown as its key: the key that was presented, or the console key of the session. */
  credential: string
  /** The provider took itself off the registry: it may look at itself, secure its account and come back, no more. */
  isDeactivated: boolean
}

/** `expired` is told only to who holds the whole key; nothing where it is unknown, revoked or not a credential. */
export type Authenticate = (credential: string) => Promise<Caller | 'expired' | undefined>

/** `X-API-Key` and `Authorization: Bearer` are equal; where both are sent, `X-API-Key` counts and must be valid. */
const credentialOf = (request: IncomingMessage): string | undefined => {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key.trim()
  const [, bearer] = /^Bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (bearer) return bearer
  return request.headers.authorization === undefined ? undefined : ''
}

const deactivated =
  'This provider is deactivated. Reactivate it first, with POST /api/v1/providers/{id}/reactivate or `countersign providers reactivate`.'
const missing = 'This needs an API key, in the header X-API-Key or as a bearer token.'
const unknownKey = 'The API key is not valid: it may be mistyped or revoked. Check it, or use another key of your provider.'
const expiredKey = 'The API key has expired. Make a new one, with another key or after signing in.'
const endedSession = 'You are not signed in, or your session has ended. Sign in again.'

/** Of what is not known only the form is judged, so that nothing tells whether it ever existed. */
const reasonFor = (credential: string | undefined, found: Caller | 'expired' | undefined): string => {
  if (credential === undefined) return missing
  if (found === 'expired') return expiredKey
  return /^cs[sc]_/.test(credential) ? endedSession : unknownKey
}

const hasScope = (endpoint: Endpoint, { scopes }: Caller): boolean => {
  const needed = neededScopeOf(endpoint)
  if (scopes === null) return true
  // Nothing but what the endpoint says of it, not even what any key may do.
  if (scopes.includes(publisherScope)) return endpoint.publisher === true
  return needed === 'any' || [needed, endpoint.orScope].some((scope) => scope !== undefined && scope !== 'full' && scopes.includes(scope))
}

const scopeMissing = (endpoint: Endpoint, { scopes }: Caller) => {
  if (scopes?.includes(publisherScope))
    return new Refusal(
      'forbidden',
      'A token of a trusted publisher registers models and versions and gives bundles, nothing else. Use a key for this.',
    )
  const needed = neededScopeOf(endpoint)
  const way =
    needed === 'full' ? 'Use a key without restrictions, or sign in.' : `Use a key with the scope ${needed}, or one without restrictions.`
  return new Refusal('forbidden', `This key may only be used for ${scopes?.join(', ')}. ${way}`)
}

export const findCaller = async (request: IncomingMessage, endpoint: Endpoint, authenticate: Authenticate): Promise<Caller | undefined> => {
  if (endpoint.caller === 'public') return undefined
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const credential = credentialOf(request)
  const found = credential ? await authenticate(credential) : undefined
  if (found && found !== 'expired' && (!found.isDeactivated || endpoint.whileDeactivated)) {
    if (hasScope(endpoint, found)) return found
    if (endpoint.caller === 'provider' || !isRead) throw scopeMissing(endpoint, found)
    return undefined
  }
  const isRefused = endpoint.caller === 'provider' || (credential !== undefined && !isRead)
  if (found && found !== 'expired' && isRefused) throw new Refusal('provider_deactivated', deactivated)
  if (isRefused) throw new Refusal('unauthorized', reasonFor(credential, found))
  return undefined
}
