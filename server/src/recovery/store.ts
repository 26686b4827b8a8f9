import { primaryProof } from '../db/proofs.ts'
import type { Db, Tx } from '../db/schema.ts'

export type Via = 'mailbox' | 'session'

const endpoint = 'factors.recover'
const paramsOf = (person_id: string) => JSON.stringify({ person_id })

export const findPerson = (db: Db, id: string) =>
  db.selectFrom('people').select(['id', 'email']).where('id', '=', id).executeTakeFirst()

/** Confirmations of one recovery wait for each other, so that the last one sees the others. */
export const lockPerson = (tx: Tx, id: string) =>
  tx
    .updateTable('people')
    .set((row) => ({ email: row.ref('email') }))
    .where('id', '=', id)
    .execute()

export const listProvidersOf = async (db: Db, person_id: string) => {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select('m.provider_id')
    .where('m.person_id', '=', person_id)
    .where('p.deleted_at', 'is', null)
    .orderBy('m.provider_id')
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

/** What each company of a person has done with their recovery. */
export const listCompanies = async (db: Db, { person_id, at }: { person_id: string; at: number }) => {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .leftJoin('changes as c', (join) =>
      join
        .onRef('c.provider_id', '=', 'm.provider_id')
        .on('c.endpoint', '=', endpoint)
        .on('c.params', '=', paramsOf(person_id))
        // Overdue recoveries still wait.
        .on((on) => on.or([on('c.state', '=', 'delayed'), on('c.expires_at', '>', at)])),
    )
    .select(['m.provider_id', 'c.state'])
    .where('m.person_id', '=', person_id)
    .where('p.deleted_at', 'is', null)
    .orderBy('m.provider_id')
    .execute()
  const companies = new Map<string, 'waiting' | 'confirmed' | 'unasked'>()
  for (const { provider_id, state } of rows) {
    const known = companies.get(provider_id) ?? 'unasked'
    if (state === 'delayed') companies.set(provider_id, 'waiting')
    else companies.set(provider_id, state === 'approved' && known === 'unasked' ? 'confirmed' : known)
  }
  return [...companies].map(([provider_id, state]) => ({ provider_id, state }))
}

interface NewToken {
  hash: string
  person_id: string | null
  via: Via
  /** The token of a session ends with it. */
  session_id: string | null
  created_at: number
  expires_at: number
}

export const insertToken = (tx: Tx, { via, session_id, ...token }: NewToken) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...token, purpose: 'recovery', data: JSON.stringify({ via, session_id }), attempts: 0 })
    .execute()

const isSignedIn = async (db: Db, { person_id, id, at }: { person_id: string; id: string; at: number }) =>
  (await db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()) !== undefined

/** The link works until the recovery is done or cancelled. */
export const findToken = async (db: Db, { hash, at }: { hash: string; at: number }) => {
  const row = await db
    .selectFrom('one_time_tokens')
    .select(['person_id', 'data'])
    .where('hash', '=', hash)
    .where('purpose', '=', 'recovery')
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (row?.person_id == null) return undefined
  const { person_id } = row
  const { via, session_id } = JSON.parse(row.data ?? '{}') as Pick<NewToken, 'via' | 'session_id'>
  if (via === 'session' && !(await isSignedIn(db, { person_id, id: session_id ?? '', at }))) return undefined
  return { person_id, via }
}

/** In each company of the person, until it takes effect; with the primary domain if it is proven. */
export const listWaiting = (db: Db, { person_id, at }: { person_id: string; at: number }) =>
  db
    .selectFrom('members as m')
    .innerJoin('changes as c', 'c.provider_id', 'm.provider_id')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select(['c.provider_id', 'c.id', 'c.body', 'c.expires_at', 'p.domain'])
    .select(primaryProof('p', at).proven_at.as('proven_at'))
    .where('m.person_id', '=', person_id)
    .where('c.endpoint', '=', endpoint)
    .where('c.params', '=', paramsOf(person_id))
    .where('c.state', '=', 'delayed')
    .where('c.expires_at', '>', at)
    .orderBy('c.id')
    .execute()

/** Confirmed in one company. Zero rows if it was decided before. */
export const markApproved = (
  tx: Tx,
  { provider_id, id, at, by }: { provider_id: string; id: string; at: number; by: string },
) =>
  tx
    .updateTable('changes')
    .set({ state: 'approved', decided_at: at, decided_by: by, digest: null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .returning('id')
    .executeTakeFirst()

export const findSubject = async (db: Db, { provider_id, id, at }: { provider_id: string; id: string; at: number }) => {
  const row = await db
    .selectFrom('changes')
    .select('params')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .where('state', '=', 'delayed')
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return row && (JSON.parse(row.params) as { person_id: string }).person_id
}

/** Recoveries that take effect soon, without a reminder so far. */
export const listToRemind = (db: Db, { at, before, limit }: { at: number; before: number; limit: number }) =>
  db
    .selectFrom('changes')
    .select(['provider_id', 'id', 'params', 'body', 'expires_at'])
    .where('endpoint', '=', endpoint)
    .where('state', '=', 'delayed')
    .where('if_match', 'is', null)
    .where('expires_at', '>', at)
    .where('expires_at', '<=', before)
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Only one process sends the reminder: the one that gets the row. */
export const takeReminder = (tx: Tx, { provider_id, id }: { provider_id: string; id: string }) =>
  tx
    .updateTable('changes')
    .set({ if_match: 'reminded' })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('state', '=', 'delayed')
    .where('if_match', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Removes everything that proves presence, and the links that asked for that. */
export const removeFactors = async (tx: Tx, person_id: string) => {
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('presences').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('one_time_tokens').where('person_id', '=', person_id).where('purpose', '=', 'recovery').execute()
  return tx.deleteFrom('factors').where('person_id', '=', person_id).returning(['kind', 'name']).execute()
}

/** Counts an attempt. Zero rows after too many. */
export const takeTry = (tx: Tx, { hash, max }: { hash: string; max: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('hash', '=', hash)
    .where('purpose', '=', 'recovery')
    .where('attempts', '<', max)
    .returning('hash')
    .executeTakeFirst()

/** If several requests race with one code, only one gets its row. */
export const takeRecoveryCode = (tx: Tx, { person_id, code_hash }: { person_id: string; code_hash: string }) =>
  tx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', person_id)
    .where('code_hash', '=', code_hash)
    .returning('code_hash')
    .executeTakeFirst()

/** Ends the recovery in all companies: otherwise it would also remove the person's next passkey. */
export const endWaiting = (tx: Tx, { person_id, at }: { person_id: string; at: number }) =>
  tx
    .updateTable('changes')
    .set({ state: 'done', decided_at: at, decided_by: person_id, digest: null })
    .where('endpoint', '=', endpoint)
    .where('params', '=', paramsOf(person_id))
    .where('state', '=', 'delayed')
    .execute()
