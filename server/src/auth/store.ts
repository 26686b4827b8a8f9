import type { Insertable, Selectable } from 'kysely'
import type { Db, OneTimeTokenTable, RegistrationTable, TokenPurpose, Tx } from '../db/schema.ts'

export type RegistrationRow = Selectable<RegistrationTable>
export type TokenRow = Selectable<OneTimeTokenTable>

export const insertRegistration = (tx: Tx, row: Insertable<RegistrationTable>) => tx.insertInto('registrations').values(row).execute()

export const findRegistration = (db: Db, id: string) =>
  db.selectFrom('registrations').selectAll().where('id', '=', id).where('completed_at', 'is', null).executeTakeFirst()

export const insertToken = (tx: Tx, row: Insertable<OneTimeTokenTable>) => tx.insertInto('one_time_tokens').values(row).execute()

interface Wanted {
  purposes: readonly TokenPurpose[]
  at: number
}

export const findToken = (db: Db, { hash, purposes, at }: Wanted & { hash: string }) =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

/** Tokens of mails to one address that still wait; the newest first, and no more than somebody could have asked for in earnest. */
export const listTokens = (db: Db, { email_norm, purposes, at }: Wanted & { email_norm: string }) =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('email_norm', '=', email_norm)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute()

/** Uses a token up. Of several that race with it, one gets its row. */
export const takeToken = (tx: Tx, { hash, purposes, at }: Wanted & { hash: string }) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()

/** A try that went wrong counts before it is answered. Nothing where there were too many already. */
export const countAttempt = (tx: Tx, { hash, max }: { hash: string; max: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('hash', '=', hash)
    .where('attempts', '<', max)
    .returning('attempts')
    .executeTakeFirst()

export const countAttempts = (tx: Tx, { email_norm, purpose }: { email_norm: string; purpose: TokenPurpose }) =>
  tx
    .updateTable('one_time_tokens')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('email_norm', '=', email_norm)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()

/** Once an address is verified, nothing else that waited for it can be completed: the tokens of its mails lead nowhere. */
export const forgetPending = (tx: Tx, { email_norm }: { email_norm: string }) =>
  tx.deleteFrom('registrations').where('email_norm', '=', email_norm).execute()

/** What a reset makes worthless: every other way in that was under way. */
export const forgetTokensOf = (tx: Tx, provider_id: string) =>
  tx
    .deleteFrom('one_time_tokens')
    .where('provider_id', '=', provider_id)
    .where('purpose', 'in', ['setup', 'reset', 'link', 'hand_off'])
    .execute()

/** The account that has verified an address; the constraint allows one. */
export const findAccount = (db: Db, email_norm: string) =>
  db
    .selectFrom('providers as p')
    .leftJoin('passwords as w', 'w.provider_id', 'p.id')
    .select(['p.id', 'p.email', 'p.company_name', 'w.hash'])
    .where('p.email_norm', '=', email_norm)
    .where('p.email_verified_at', 'is not', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

export const findAccountById = (db: Db, id: string) =>
  db
    .selectFrom('providers as p')
    .leftJoin('passwords as w', 'w.provider_id', 'p.id')
    .select([
      'p.id',
      'p.email',
      'p.email_norm',
      'p.email_verified_at',
      'p.email_vouched_by',
      'p.company_name',
      'p.domain_verified_at',
      'w.hash',
    ])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

/** Fails on the constraint where another provider has verified the address. */
export const markEmailVerified = (tx: Tx, { id, email_norm, at }: { id: string; email_norm: string; at: number }) =>
  tx
    .updateTable('providers')
    .set({ email_verified_at: at, email_vouched_by: null, updated_at: at })
    .where('id', '=', id)
    .where('email_norm', '=', email_norm)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

export const putPassword = (tx: Tx, row: { provider_id: string; hash: string; set_at: number }) =>
  tx
    .insertInto('passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ hash: row.hash, set_at: row.set_at }))
    .execute()

/** Nothing where the password was changed meanwhile. Without `at` it is the same password, hashed anew or as before. */
export const replacePassword = (tx: Tx, { provider_id, was, hash, at }: { provider_id: string; was: string; hash: string; at?: number }) =>
  tx
    .updateTable('passwords')
    .set({ hash, ...(at !== undefined && { set_at: at }) })
    .where('provider_id', '=', provider_id)
    .where('hash', '=', was)
    .returning('provider_id')
    .executeTakeFirst()
