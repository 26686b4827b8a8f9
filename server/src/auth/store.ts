import type { Insertable, Selectable } from 'kysely'
import type { Db, OneTimeTokenTable, Tx } from '../db/schema.ts'

type TokenRow = Selectable<OneTimeTokenTable>
/** For links that set a password. */
export type Purpose = 'setup' | 'reset'
const purposes: readonly Purpose[] = ['setup', 'reset']

export const insertToken = (
  tx: Tx,
  row: Omit<Insertable<OneTimeTokenTable>, 'purpose' | 'attempts'> & { purpose: Purpose },
) =>
  tx
    .insertInto('one_time_tokens')
    .values({ ...row, attempts: 0 })
    .execute()

export const findToken = (db: Db, { hash, at }: { hash: string; at: number }) =>
  db
    .selectFrom('one_time_tokens')
    .select('provider_id')
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()

/** Uses a token up. If several requests race, only one gets its row. */
export const takeToken = (tx: Tx, { hash, at }: { hash: string; at: number }): Promise<TokenRow | undefined> =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()

/** What a new password invalidates: every other pending sign-in. */
export const forgetTokensOf = (tx: Tx, provider_id: string) =>
  tx
    .deleteFrom('one_time_tokens')
    .where('provider_id', '=', provider_id)
    .where('purpose', 'in', ['setup', 'reset', 'link', 'hand_off'])
    .execute()

const accounts = (db: Db) =>
  db
    .selectFrom('providers as p')
    .leftJoin('passwords as w', 'w.provider_id', 'p.id')
    .select(['p.id', 'p.email', 'p.company_name', 'w.hash'])
    .where('p.deleted_at', 'is', null)

/** The account that has verified an address; a constraint allows only one. */
export const findAccount = (db: Db, email_norm: string) =>
  accounts(db).where('p.email_norm', '=', email_norm).where('p.email_verified_at', 'is not', null).executeTakeFirst()

export const findAccountById = (db: Db, id: string) => accounts(db).where('p.id', '=', id).executeTakeFirst()

export const putPassword = (tx: Tx, row: { provider_id: string; hash: string; set_at: number }) =>
  tx
    .insertInto('passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ hash: row.hash, set_at: row.set_at }))
    .execute()

/** Nothing if the password was changed meanwhile. Without `at` the password is the same, only hashed with new parameters. */
export const replacePassword = (
  tx: Tx,
  { provider_id, was, hash, at }: { provider_id: string; was: string; hash: string; at?: number },
) =>
  tx
    .updateTable('passwords')
    .set({ hash, ...(at !== undefined && { set_at: at }) })
    .where('provider_id', '=', provider_id)
    .where('hash', '=', was)
    .returning('provider_id')
    .executeTakeFirst()
