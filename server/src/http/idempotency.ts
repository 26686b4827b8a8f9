import { createHash } from 'node:crypto'
import { type Endpoint, errors, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { claimKey, finishKey, forgetExpiredKeys, releaseKey } from '../idempotency/store.ts'

interface Attempt {
  row: Endpoint
  key: string
  /** Who repeats: a provider, or an address. */
  principal: string
  /** The path’s parameters: the same body for another thing is another request. */
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

const keptMs = 24 * 3_600_000

const hashOf = ({ row, params, body }: Attempt) =>
  createHash('sha256')
    .update(`${row.method} ${row.path}\n${JSON.stringify([params ?? {}, body ?? {}])}`)
    .digest('base64url')

const isRefused = (error: unknown) => error instanceof Refusal && errors[error.code].status < 500

/** Of an answer with a secret only its id is kept. */
const idOf = (answer: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(answer as Record<string, unknown>).filter(([name]) => name.endsWith('_id') || name === 'id'))

/** Runs a creating request once for each key (draft-ietf-httpapi-idempotency-key-header §2); repeats get the first answer. */
export const createIdempotency = ({ database, now }: { database: Database; now: () => number }): Idempotency => ({
  once: async (attempt, work) => {
    const { row, key, principal } = attempt
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new Refusal('bad_request', 'Idempotency-Key must be 1 to 255 printable characters.')
    const request_hash = hashOf(attempt)
    const claim = { principal, key, request_hash, created_at: now(), expires_at: now() + keptMs }
    const earlier = await database.transaction(async (tx) => {
      await forgetExpiredKeys(tx, claim)
      return claimKey(tx, claim)
    })
    if (earlier) {
      if (earlier.request_hash !== request_hash) throw new Refusal('idempotency_mismatch')
      if (earlier.state === 'in_flight') throw new Refusal('idempotency_in_flight')
      const stored = JSON.parse(earlier.response ?? '{}')
      if (row.idempotent === 'secret')
        throw new Refusal('already_created', 'This was created by an earlier request; its secret was shown then and is not kept.', stored)
      return { status: earlier.status ?? 200, answer: stored, isReplay: true }
    }
    const { status, answer } = await work().catch(async (error) => {
      // A refusal changed nothing, so the corrected request may use the same key. After anything else nobody knows
      // whether the work was done: the key stays taken, and repeats wait rather than do it twice.
      if (isRefused(error)) await database.transaction((tx) => releaseKey(tx, claim))
      throw error
    })
    const response = JSON.stringify(row.idempotent === 'secret' ? idOf(answer) : answer)
    await database.transaction((tx) => finishKey(tx, { ...claim, status, response }))
    return { status, answer, isReplay: false }
  },
})
