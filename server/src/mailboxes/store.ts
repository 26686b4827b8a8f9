import type { Insertable } from 'kysely'
import type { Db, MailboxPurpose, OneTimeTokenTable, Tx } from '../db/schema.ts'

/** The address as it was typed. */
interface Data {
  email: string
  /** Whether the person proved presence when they asked for it. */
  isProven?: boolean
}

export const findPerson = (db: Db, id: string) =>
  db.selectFrom('people as e').select(['e.id', 'e.email', 'e.email_norm']).where('e.id', '=', id).executeTakeFirst()

export const listProvidersOf = async (db: Db, person_id: string) =>
  (await db.selectFrom('members').select('provider_id').where('person_id', '=', person_id).execute()).map(
    ({ provider_id }) => provider_id,
  )

/** Only the newest of its kind counts. */
export const putToken = async (
  tx: Tx,
  row: Pick<Insertable<OneTimeTokenTable>, 'hash' | 'code_hash' | 'created_at' | 'expires_at'> & {
    purpose: MailboxPurpose
    person_id: string
    data: Data
  },
) => {
  if (row.purpose === 'new_mailbox') await forgetChange(tx, row.person_id)
  await tx
    .insertInto('one_time_tokens')
    .values({ ...row, data: JSON.stringify(row.data), attempts: 0 })
    .execute()
}

/** Counts the try. */
export const tryCode = async (tx: Tx, { person_id, max, at }: { person_id: string; max: number; at: number }) => {
  const row = await tx
    .updateTable('one_time_tokens')
    .set((token) => ({ attempts: token('attempts', '+', 1) }))
    .where('person_id', '=', person_id)
    .where('purpose', '=', 'new_mailbox')
    .where('attempts', '<', max)
    .where('expires_at', '>', at)
    .returning(['code_hash', 'data'])
    .executeTakeFirst()
  return row && { code_hash: row.code_hash, ...(JSON.parse(row.data ?? '{}') as Data) }
}

export const forgetChange = (tx: Tx, person_id: string) =>
  tx.deleteFrom('one_time_tokens').where('person_id', '=', person_id).where('purpose', '=', 'new_mailbox').execute()

export const takeWayBack = async (tx: Tx, { hash, at }: { hash: string; at: number }) => {
  const row = await tx
    .deleteFrom('one_time_tokens')
    .where('hash', '=', hash)
    .where('purpose', '=', 'old_mailbox')
    .where('expires_at', '>', at)
    .returning(['person_id', 'data', 'created_at'])
    .executeTakeFirst()
  if (row?.person_id == null) return undefined
  return { person_id: row.person_id, changed_at: row.created_at, ...(JSON.parse(row.data ?? '{}') as Data) }
}

/** Violates the constraint if someone else has verified the mailbox. */
export const moveMailbox = (
  tx: Tx,
  { id, at, ...mailbox }: { id: string; email: string; email_norm: string; at: number },
) =>
  tx
    .updateTable('people')
    .set({ ...mailbox, email_verified_at: at, email_vouched_by: null })
    .where('id', '=', id)
    .execute()

/** After this only the mailbox, and factors from before `since`, let the person in. */
export const forgetWaysIn = async (tx: Tx, { person_id, since }: { person_id: string; since: number }) => {
  await tx.deleteFrom('factors').where('person_id', '=', person_id).where('created_at', '>=', since).execute()
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).where('created_at', '>=', since).execute()
  await tx.deleteFrom('passwords').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('identities').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('one_time_tokens').where('person_id', '=', person_id).execute()
}

/** Links that were emailed to the old address. */
export const forgetResets = (tx: Tx, person_id: string) =>
  tx
    .deleteFrom('one_time_tokens')
    .where('person_id', '=', person_id)
    .where('purpose', 'in', ['setup', 'reset', 'link', 'hand_off'])
    .execute()
