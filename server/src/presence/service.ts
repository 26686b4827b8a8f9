import { type Act, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { Caller } from '../http/callers.ts'
import type { Cookies } from '../http/cookies.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { presenceCookie, presenceMs } from './rules.ts'
import { findRecent, forgetPresencesOf, putPresence, takeApproved } from './store.ts'

interface Deps {
  database: Database
  now: () => number
}

interface Proven {
  session_id: string
  person_id: string
  factor_id: string
  /** The call that the person approved; null after a sign-in with a passkey. */
  act: Act | null
}

interface NewProof {
  /** For the cookie. */
  secret: string
  expires_at: number
}

/** A request that may carry a proof. */
export interface Presenting {
  caller: Pick<Caller, 'session_id' | 'person_id' | 'isDevice'>
  act: Act
  cookies: Pick<Cookies, 'read'>
}

/**
 * Proof that a person is there, for five minutes. It is in a cookie that no script can read, belongs to one session, and counts first
 * for the call that the person approved.
 */
export const createPresenceService = ({ database, now }: Deps) => {
  /** The factor that proved presence for this call. `isExact`: the person must have approved this very call. */
  const find = async (
    { caller: { session_id, person_id, isDevice }, act, cookies }: Presenting,
    { isExact = false }: { isExact?: boolean } = {},
  ): Promise<{ factor_id: string } | undefined> => {
    const secret = cookies.read(presenceCookie)
    if (isDevice || session_id === null || person_id === null || secret === undefined) return undefined
    const presented = { session_id, person_id, hash: hashSecret(secret), at: now() }
    const recent = isExact ? undefined : await findRecent(database.read, presented)
    return recent ?? database.transaction((tx) => takeApproved(tx, { ...presented, ...act }))
  }

  return {
    find,

    async require(presenting: Presenting, options?: { isExact?: boolean }): Promise<{ factor_id: string }> {
      const found = await find(presenting, options)
      if (found) return found
      throw new Refusal(
        'presence_required',
        'Confirm with your passkey or authenticator in the console, then repeat the request within five minutes.',
      )
    },

    async begin(tx: Tx, { session_id, person_id, factor_id, act }: Proven): Promise<NewProof> {
      const [secret, at] = [newSecret(), now()]
      const expires_at = at + presenceMs
      await putPresence(tx, {
        session_id,
        hash: hashSecret(secret),
        person_id,
        factor_id,
        method: act?.method ?? null,
        path: act?.path ?? null,
        body_digest: act?.body_digest ?? null,
        created_at: at,
        expires_at,
        used_at: act ? null : at,
      })
      return { secret, expires_at }
    },

    remember: (cookies: Pick<Cookies, 'set'>, { secret }: NewProof) =>
      cookies.set(presenceCookie, secret, { maxAgeSeconds: presenceMs / 1_000, sameSite: 'strict' }),

    /** Proofs of presence end with the factor that made them. */
    forget: (tx: Tx, of: { person_id: string; factor_id: string }) => forgetPresencesOf(tx, of),
  }
}

export type PresenceService = ReturnType<typeof createPresenceService>
