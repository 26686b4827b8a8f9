import type { Insertable } from 'kysely'
import type { Db, IdentityTable, OneTimeTokenTable, TokenPurpose, Tx } from '../db/schema.ts'

export type NewToken = Pick<
  OneTimeTokenTable,
  'hash' | 'purpose' | 'provider_id' | 'cookie_hash' | 'created_at' | 'expires_at'
> & {
  data: object
}

export const insertToken = (tx: Tx, { data, ...token }: NewToken) =>
  tx
    .insertInto('one_time_tokens')
    .values({
      ...token,
      data: JSON.stringify(data),
      registration_id: null,
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
): Promise<{ provider_id: string | null; data: Data } | undefined> => {
  const row = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('cookie_hash', '=', cookie_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['provider_id', 'data'])
    .executeTakeFirst()
  return row && { provider_id: row.provider_id, data: JSON.parse(row.data ?? '{}') }
}

/** A setup token, in the browser that received it. */
export const findSetup = (db: Db, { hash, cookie_hash, at }: { hash: string; cookie_hash: string; at: number }) =>
  db
    .selectFrom('one_time_tokens')
    .select('provider_id')
    .where('hash', '=', hash)
    .where('purpose', '=', 'setup')
    .where('cookie_hash', '=', cookie_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

export const takeSetup = (tx: Tx, { hash, provider_id, at }: { hash: string; provider_id: string; at: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', '=', 'setup')
    .where('provider_id', '=', provider_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('hash')
    .executeTakeFirst()

/** The parts of an account that signing in needs. */
export const findAccount = (db: Db, provider_id: string) =>
  db
    .selectFrom('providers')
    .select(['id', 'email', 'email_verified_at'])
    .where('id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The account that has verified an address; a constraint allows one. */
export const findEmailOwner = (db: Db, email_norm: string) =>
  db
    .selectFrom('providers')
    .select('id')
    .where('email_norm', '=', email_norm)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findIdentityOwner = (db: Db, { issuer, subject }: Pick<IdentityTable, 'issuer' | 'subject'>) =>
  db
    .selectFrom('identities as i')
    .innerJoin('providers as p', 'p.id', 'i.provider_id')
    .select('p.id')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

/** Violates the constraint if the identity is already linked. */
export const insertIdentity = (tx: Tx, identity: Insertable<IdentityTable>) =>
  tx.insertInto('identities').values(identity).execute()

export const listIdentities = (db: Db, provider_id: string) =>
  db
    .selectFrom('identities')
    .select(['issuer', 'login', 'linked_at'])
    .where('provider_id', '=', provider_id)
    .orderBy('linked_at')
    .orderBy('subject')
    .limit(100)
    .execute()

/** What was removed; empty if there was nothing. */
export const deleteIdentities = (tx: Tx, { provider_id, issuer }: { provider_id: string; issuer: string }) =>
  tx
    .deleteFrom('identities')
    .where('provider_id', '=', provider_id)
    .where('issuer', '=', issuer)
    .returning('login')
    .execute()

export const hasPassword = async (db: Db, provider_id: string) =>
  (await db.selectFrom('passwords').select('provider_id').where('provider_id', '=', provider_id).executeTakeFirst()) !==
  undefined
