import type { Insertable } from 'kysely'
import type { MemberTable, PersonTable, Tx } from '../db/schema.ts'

/** Violates the constraint if someone has verified the mailbox. */
export const insertPerson = (tx: Tx, person: Insertable<PersonTable>) =>
  tx.insertInto('people').values(person).execute()

export const insertMember = (tx: Tx, member: Insertable<MemberTable>) =>
  tx
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['provider_id', 'person_id']).doNothing())
    .execute()

/** From now on it was verified by us. */
export const markMailboxVerified = (tx: Tx, { email_norm, at }: { email_norm: string; at: number }) =>
  tx
    .updateTable('people')
    .set({ email_verified_at: at, email_vouched_by: null })
    .where('email_norm', '=', email_norm)
    .returning('id')
    .executeTakeFirst()
