import type { Insertable, Selectable } from 'kysely'
import { primaryProof } from '../db/proofs.ts'
import type { Db, OneTimeTokenTable, RegistrationTable, Tx } from '../db/schema.ts'

export type RegistrationRow = Selectable<RegistrationTable>
/** For an email that verifies an address. */
export type TokenRow = Selectable<OneTimeTokenTable>

export const insertRegistration = (tx: Tx, row: Insertable<RegistrationTable>) =>
  tx.insertInto('registrations').values(row).execute()

export const findRegistration = (db: Db, id: string) =>
  db.selectFrom('registrations').selectAll().where('id', '=', id).where('completed_at', 'is', null).executeTakeFirst()

/** Once an address is verified, no other registration that waited for it can be completed: their email tokens are invalid. */
export const forgetPending = (tx: Tx, { email_norm }: { email_norm: string }) =>
  tx.deleteFrom('registrations').where('email_norm', '=', email_norm).execute()

export const insertToken = (tx: Tx, row: Omit<Insertable<OneTimeTokenTable>, 'purpose' | 'attempts'>) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...row, purpose: 'verify_email', attempts: 0 })
    .execute()

export const findToken = (db: Db, { hash, at }: { hash: string; at: number }) =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('purpose', '=', 'verify_email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

/** Pending emails to one address; the newest first, and no more than a person would request in earnest. */
const selectWaiting = (db: Db, { email_norm, at }: { email_norm: string; at: number }) =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('email_norm', '=', email_norm)
    .where('purpose', '=', 'verify_email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')

export const listTokens = (db: Db, of: { email_norm: string; at: number }) => selectWaiting(db, of).limit(100).execute()

/** Those of one browser or provider, however many others wait. */
export const listOwnTokens = (
  db: Db,
  { cookie_hash, provider_id, ...of }: { email_norm: string; at: number; cookie_hash: string; provider_id: string },
) =>
  selectWaiting(db, of)
    .where((row) => row.or([row('cookie_hash', '=', cookie_hash), row('provider_id', '=', provider_id)]))
    .limit(100)
    .execute()

/** Uses a token up. If several requests race, only one gets its row. */
export const takeToken = (tx: Tx, { hash, at }: { hash: string; at: number }) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', '=', 'verify_email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()

/** What an attempt counts against: the email whose other side is shown, or if none is, the code of each email. */
type Tries = 'attempts' | 'stray_attempts'

/** Counts an attempt before it is checked, so that concurrent ones don't get more. Returns the emails that had one left. */
export const spendTry = async (
  tx: Tx,
  { hashes, of, max }: { hashes: readonly string[]; of: Tries; max: number },
): Promise<Pick<TokenRow, 'hash' | 'code_hash'>[]> =>
  hashes.length === 0
    ? []
    : tx
        .updateTable('one_time_tokens')
        .set((row) => ({ [of]: row(of, '+', 1) }))
        .where('hash', 'in', hashes)
        .where('attempts', '<', max)
        .where(of, '<', max)
        .returning(['hash', 'code_hash'])
        .execute()

/** The account that has verified an address; a constraint allows one. */
export const findAccount = (db: Db, email_norm: string) =>
  db
    .selectFrom('providers')
    .select('id')
    .where('email_norm', '=', email_norm)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findProvider = (db: Db, id: string, at: number) =>
  db
    .selectFrom('providers as p')
    .select(['p.id', 'p.email', 'p.email_verified_at', 'p.email_vouched_by'])
    .select(primaryProof('p', at).proven_at.as('domain_verified_at'))
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

/** Violates the constraint if another provider has verified the address. */
export const markEmailVerified = (tx: Tx, { id, email_norm, at }: { id: string; email_norm: string; at: number }) =>
  tx
    .updateTable('providers')
    .set({ email_verified_at: at, email_vouched_by: null, updated_at: at })
    .where('id', '=', id)
    .where('email_norm', '=', email_norm)
    .where('deleted_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
