import type { Db, Tx } from '../db/schema.ts'
import type { Polling } from './rules.ts'

/** What waits with a code. */
export interface Waiting extends Polling {
  name: string
  address: string
  user_agent: string | null
  state: 'open' | 'approved' | 'denied'
  /** The session that approved it: if it has ended, so has the approval. */
  session_id: string | null
}

interface NewDevice {
  hash: string
  secret_hash: string
  data: Waiting
  created_at: number
  expires_at: number
}

export const insertDevice = (tx: Tx, { secret_hash, data, ...token }: NewDevice) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...token, purpose: 'device', cookie_hash: secret_hash, data: JSON.stringify(data), attempts: 0 })
    .execute()

const columns = ['person_id', 'provider_id', 'cookie_hash', 'data', 'created_at', 'expires_at'] as const

interface Row {
  person_id: string | null
  provider_id: string | null
  cookie_hash: string | null
  data: string | null
  created_at: number
  expires_at: number
}

const parse = (row: Row | undefined) => row && { ...row, data: JSON.parse(row.data ?? '{}') as Waiting }

export const findDevice = async (db: Db, { hash, at }: { hash: string; at: number }) =>
  parse(
    await db
      .selectFrom('one_time_tokens')
      .select(columns)
      .where('hash', '=', hash)
      .where('purpose', '=', 'device')
      .where('expires_at', '>', at)
      .executeTakeFirst(),
  )

/** Polls and decisions about one code wait for each other. */
export const lockDevice = async (tx: Tx, { hash, at }: { hash: string; at: number }) =>
  parse(
    await tx
      .updateTable('one_time_tokens')
      .set((row) => ({ attempts: row.ref('attempts') }))
      .where('hash', '=', hash)
      .where('purpose', '=', 'device')
      .where('expires_at', '>', at)
      .returning(columns)
      .executeTakeFirst(),
  )

export const setDevice = (
  tx: Tx,
  hash: string,
  { data, ...owner }: { data: Waiting; person_id?: string; provider_id?: string },
) =>
  tx
    .updateTable('one_time_tokens')
    .set({ ...owner, data: JSON.stringify(data) })
    .where('hash', '=', hash)
    .execute()

export const deleteDevice = (tx: Tx, hash: string) =>
  tx.deleteFrom('one_time_tokens').where('hash', '=', hash).execute()

export const findMailbox = (db: Db, person_id: string) =>
  db.selectFrom('people').select('email').where('id', '=', person_id).executeTakeFirst()
