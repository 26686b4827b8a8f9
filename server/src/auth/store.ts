import type { Insertable, Selectable } from 'kysely'
import { selectPeople } from '../db/people.ts'
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
    .select('person_id')
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
export const forgetTokensOf = (tx: Tx, person_id: string) =>
  tx
    .deleteFrom('one_time_tokens')
    .where('person_id', '=', person_id)
    .where('purpose', 'in', ['setup', 'reset', 'link', 'hand_off'])
    .execute()

const accounts = (db: Db) => selectPeople(db).leftJoin('passwords as w', 'w.person_id', 'e.id').select('w.hash')

/** The person who verified an address; a constraint allows only one. */
export const findAccount = (db: Db, email_norm: string) =>
  accounts(db).where('e.email_norm', '=', email_norm).executeTakeFirst()

export const findAccountById = (db: Db, person_id: string) =>
  accounts(db).where('e.id', '=', person_id).executeTakeFirst()

export const findPassword = async (db: Db, person_id: string) =>
  (await db.selectFrom('passwords').select('hash').where('person_id', '=', person_id).executeTakeFirst())?.hash

export const findSessionStart = async (db: Db, { person_id, id }: { person_id: string; id: string }) =>
  (
    await db
      .selectFrom('sessions')
      .select('created_at')
      .where('person_id', '=', person_id)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.created_at ?? 0

export const putPassword = (tx: Tx, row: { person_id: string; hash: string; set_at: number }) =>
  tx
    .insertInto('passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ hash: row.hash, set_at: row.set_at }))
    .execute()

/** Nothing if the password was changed meanwhile. Without `at` the password is the same, only hashed with new parameters. */
export const replacePassword = (
  tx: Tx,
  { person_id, was, hash, at }: { person_id: string; was: string; hash: string; at?: number },
) =>
  tx
    .updateTable('passwords')
    .set({ hash, ...(at !== undefined && { set_at: at }) })
    .where('person_id', '=', person_id)
    .where('hash', '=', was)
    .returning('person_id')
    .executeTakeFirst()
