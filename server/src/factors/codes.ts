import { type Factor, Refusal } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { FactorPurpose, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import { hashSecret } from '../secrets.ts'
import { challengeIn, challengeMs, newChallenge } from './rules.ts'
import { type FactorRow, insertToken, takeChallenge } from './store.ts'

/** A signed-in person with their session. */
export interface Person {
  person_id: string
  session_id: string
  caller: Caller
}

export const personOf = (caller: Caller): Person => {
  const { person_id, session_id, isDevice } = caller
  if (person_id === null || session_id === null || isDevice)
    throw new Refusal('forbidden', 'Passkeys and authenticators belong to a person: sign in on the web.')
  return { person_id, session_id, caller }
}

export const expired = () => new Refusal('passkey_rejected', 'This took too long or was answered before. Try again.')

export const factorOf = ({
  id,
  kind,
  name,
  created_at,
  effective_at,
  removes_at,
  last_used_at,
}: FactorRow): Factor => ({
  id,
  kind,
  name,
  created_at: timeOf(created_at),
  effective_at: timeOf(effective_at),
  removes_at: removes_at === null ? null : timeOf(removes_at),
  last_used_at: last_used_at === null ? null : timeOf(last_used_at),
})

/** For the subject of an email. */
export const nameOfKind = { passkey: 'A passkey', totp: 'An authenticator app' } as const

interface ForWhom {
  act?: Parameters<typeof newChallenge>[0]
  person_id?: string
  data?: object
  cookie_hash?: string
}

/** Challenges for passkeys. Each is answered at most once, within five minutes. */
export const createChallenges = ({ database, now }: { database: Database; now: () => number }) => ({
  async add(tx: Tx, purpose: FactorPurpose, { act, person_id, data, cookie_hash }: ForWhom): Promise<string> {
    const [challenge, at] = [newChallenge(act), now()]
    await insertToken(tx, {
      purpose,
      hash: hashSecret(challenge),
      person_id: person_id ?? null,
      ...(data && { data }),
      ...(cookie_hash !== undefined && { cookie_hash }),
      created_at: at,
      expires_at: at + challengeMs,
    })
    return challenge
  },

  /** The challenge that an answer is for. It is used up before the answer is checked. */
  async take<Data>(purpose: FactorPurpose, { client_data }: { client_data: string }) {
    const challenge = challengeIn(client_data)
    if (challenge === undefined) throw expired()
    const taken = await database.transaction((tx) =>
      takeChallenge<Data>(tx, { purpose, hash: hashSecret(challenge), at: now() }),
    )
    if (!taken) throw expired()
    return { ...taken, challenge }
  },
})

export type Challenges = ReturnType<typeof createChallenges>
