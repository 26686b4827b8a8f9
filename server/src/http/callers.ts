import type { IncomingMessage } from 'node:http'
import { type Caller as CallerRule, Refusal } from '@countersign/sdk/contract'

/** Who calls, proven by a credential. */
export interface Caller {
  provider_id: string
  key_id: string
  /** The credential as it was presented; it goes back to nobody but its bearer. */
  credential: string
}

export type Authenticate = (credential: string) => Promise<Caller | undefined>

/** `X-API-Key` and `Authorization: Bearer` are equal; where both are sent, `X-API-Key` counts and must be valid. */
const credentialOf = (request: IncomingMessage): string | undefined => {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key.trim()
  const [, bearer] = /^Bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (bearer) return bearer
  return request.headers.authorization === undefined ? undefined : ''
}

const unauthorized = (credential: string | undefined) =>
  new Refusal(
    'unauthorized',
    credential === undefined
      ? 'This needs an API key, in the header X-API-Key or as a bearer token.'
      : 'The API key is not valid. It may be mistyped or revoked.',
  )

export const findCaller = async (request: IncomingMessage, rule: CallerRule, authenticate: Authenticate): Promise<Caller | undefined> => {
  if (rule === 'public') return undefined
  const credential = credentialOf(request)
  const caller = credential ? await authenticate(credential) : undefined
  if (caller) return caller
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (rule === 'provider' || (credential !== undefined && !isRead)) throw unauthorized(credential)
  return undefined
}
