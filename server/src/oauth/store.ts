import type { Insertable } from 'kysely'
import { selectPeople } from '../db/people.ts'
import type { Db, IdentityTable, OneTimeTokenTable, TokenPurpose, Tx } from '../db/schema.ts'

export type NewToken = Pick<OneTimeTokenTable, 'hash' | 'purpose' | 'cookie_hash' | 'created_at' | 'expires_at'> & {
  person_id: string | null
  data: object
}

export const insertToken = (tx: Tx, { data, ...token }: NewToken) =>
  tx
    .insertInto('one_time_tokens')
    .values({
      ...token,
      data: JSON.stringify(data),
      registration_id: null,
      provider_id: null,
      email_norm: null,
      code_hash: null,
      attempts: 0,
      used_at: null,
    })
    .execute()

/** If several requests race with one token, only one gets its row. Another browser gets nothing, and the token stays valid. */
export const takeToken = async <Data>(
  tx: Tx,
  { purpose, hash, cookie_hash, at }: { purpose: TokenPurpose; hash: string; cookie_hash: string; at: number },
): Promise<{ person_id: string | null; data: Data } | undefined> => {
  const row = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('cookie_hash', '=', cookie_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['person_id', 'data'])
    .executeTakeFirst()
  return row && { person_id: row.person_id, data: JSON.parse(row.data ?? '{}') }
}

/** A setup token, in the browser that received it. */
export const findSetup = (db: Db, { hash, cookie_hash, at }: { hash: string; cookie_hash: string; at: number }) =>
  db
    .selectFrom('one_time_tokens')
    .select('person_id')
    .where('hash', '=', hash)
    .where('purpose', '=', 'setup')
    .where('cookie_hash', '=', cookie_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

export const takeSetup = (tx: Tx, { hash, person_id, at }: { hash: string; person_id: string; at: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', '=', 'setup')
    .where('person_id', '=', person_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('hash')
    .executeTakeFirst()

export const findAccount = (db: Db, person_id: string) =>
  selectPeople(db).where('e.id', '=', person_id).executeTakeFirst()

export const findIdentityOwner = (db: Db, { issuer, subject }: Pick<IdentityTable, 'issuer' | 'subject'>) =>
  db
    .selectFrom('identities')
    .select('person_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Violates the constraint if the identity is already linked. */
export const insertIdentity = (tx: Tx, identity: Insertable<IdentityTable>) =>
  tx.insertInto('identities').values(identity).execute()

export const listIdentities = (db: Db, person_id: string) =>
  db
    .selectFrom('identities')
    .select(['issuer', 'login', 'linked_at'])
    .where('person_id', '=', person_id)
    .orderBy('linked_at')
    .orderBy('subject')
    .limit(100)
    .execute()

/** What was removed; empty if there was nothing. */
export const deleteIdentities = (tx: Tx, { person_id, issuer }: { person_id: string; issuer: string }) =>
  tx
    .deleteFrom('identities')
    .where('person_id', '=', person_id)
    .where('issuer', '=', issuer)
    .returning('login')
    .execute()

export const hasPassword = async (db: Db, person_id: string) =>
  (await db.selectFrom('passwords').select('person_id').where('person_id', '=', person_id).executeTakeFirst()) !==
  undefined
