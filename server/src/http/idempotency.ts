import { createHash } from 'node:crypto'
import { type Endpoint, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { type DatabaseFailure, failureOf } from '../db/retry.ts'
import { claimKey, finishKey, forgetExpiredKeys, releaseKey } from '../idempotency/store.ts'

interface Attempt {
  endpoint: Endpoint
  key: string
  /** The caller that repeats the request: a provider, or an IP address. */
  principal: string
  /** The path’s parameters: the same body for another resource is another request. */
  params: unknown
  body: unknown
}

interface Answer {
  status: number
  answer: unknown
}

export interface Idempotency {
  once: (attempt: Attempt, work: () => Promise<Answer>) => Promise<Answer & { isReplay: boolean }>
}

const lifetimeMs = 24 * 3_600_000

/** No request takes this long: its process died, or never learned how its work ended. */
const abandonedAfterMs = 60_000

const unfinished =
  'The outcome of an earlier request with this Idempotency-Key is unknown. Check whether what you wanted exists; if not, send the request again with a new key.'

const hashOf = ({ endpoint, params, body }: Attempt) =>
  createHash('sha256')
    .update(`${endpoint.method} ${endpoint.path}\n${JSON.stringify([params ?? {}, body ?? {}])}`)
    .digest('base64url')

/** What the database reports about work that it rolled back. After a broken connection the outcome is unknown. */
const rolledBack: readonly (DatabaseFailure | undefined)[] = [
  'conflict',
  'busy',
  'locked',
  'readonly',
  'full',
  'unique',
]

const isUndone = (error: unknown) => error instanceof Refusal || rolledBack.includes(failureOf(error))

/** For a response with a secret, only its ID is stored. */
const idOf = (answer: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answer as Record<string, unknown>).filter(([name]) => name.endsWith('_id') || name === 'id'),
  )

/** Runs a creating request once for each key (draft-ietf-httpapi-idempotency-key-header §2); repeats get the first response. */
export const createIdempotency = ({ database, now }: { database: Database; now: () => number }): Idempotency => ({
  once: async (attempt, work) => {
    const { endpoint, key, principal } = attempt
    if (!/^[\x21-\x7e]{1,255}$/.test(key))
      throw new Refusal('bad_request', 'Idempotency-Key must be 1 to 255 printable characters.')
    const request_hash = hashOf(attempt)
    const claim = { principal, key, request_hash, created_at: now(), expires_at: now() + lifetimeMs }
    const earlier = await database.transaction(async (tx) => {
      await forgetExpiredKeys(tx, claim)
      return claimKey(tx, claim)
    })
    if (earlier) {
      if (earlier.request_hash !== request_hash) throw new Refusal('idempotency_mismatch')
      if (earlier.state === 'in_flight')
        throw now() - earlier.created_at < abandonedAfterMs
          ? new Refusal('idempotency_in_flight')
          : new Refusal('idempotency_unfinished', unfinished)
      const stored = JSON.parse(earlier.response ?? '{}')
      if (endpoint.idempotent === 'secret' && earlier.status !== 202)
        throw new Refusal(
          'already_created',
          'An earlier request created this; its secret was shown then and is not stored.',
          stored,
        )
      return { status: earlier.status ?? 200, answer: stored, isReplay: true }
    }
    const { status, answer } = await work().catch(async (error) => {
      // An error changed nothing, so the corrected request may use the same key. After anything else the outcome is unknown: the key
      // stays taken until it expires, and repeats are rejected rather than done twice.
      if (isUndone(error)) await database.transaction((tx) => releaseKey(tx, claim))
      throw error
    })
    const response = JSON.stringify(endpoint.idempotent === 'secret' && status !== 202 ? idOf(answer) : answer)
    await database.transaction((tx) => finishKey(tx, { ...claim, status, response }))
    return { status, answer, isReplay: false }
  },
})
