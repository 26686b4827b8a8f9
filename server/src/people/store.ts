import type { Insertable } from 'kysely'
import type { Db, MemberTable, PersonTable, Tx } from '../db/schema.ts'

/** Violates the constraint if someone has verified the mailbox. */
export const insertPerson = (tx: Tx, person: Insertable<PersonTable>) =>
  tx.insertInto('people').values(person).execute()

export const insertMember = (tx: Tx, member: Insertable<MemberTable>) =>
  tx
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['provider_id', 'person_id']).doNothing())
    .execute()

/** The person who verified a mailbox; a constraint allows one. */
export const findPersonAt = (db: Db, email_norm: string) =>
  db.selectFrom('people').select(['id', 'email']).where('email_norm', '=', email_norm).executeTakeFirst()

/** From now on it was verified by us. */
export const markMailboxVerified = (tx: Tx, { email_norm, at }: { email_norm: string; at: number }) =>
  tx
    .updateTable('people')
    .set({ email_verified_at: at, email_vouched_by: null })
    .where('email_norm', '=', email_norm)
    .returning('id')
    .executeTakeFirst()

export const hasOwner = async (db: Db, provider_id: string) =>
  (await db
    .selectFrom('members')
    .select('person_id')
    .where('provider_id', '=', provider_id)
    .where('role', '=', 'owner')
    .executeTakeFirst()) !== undefined

/** A person and the provider for which they act at first: the one they joined first. */
export const selectPeople = (db: Db) =>
  db
    .selectFrom('people as e')
    .innerJoin('providers as p', (join) =>
      join.on('p.id', '=', (row) =>
        row
          .selectFrom('members as m')
          .innerJoin('providers as q', 'q.id', 'm.provider_id')
          .select('m.provider_id')
          .whereRef('m.person_id', '=', 'e.id')
          .where('q.deleted_at', 'is', null)
          .orderBy('m.created_at')
          .orderBy('m.provider_id')
          .limit(1),
      ),
    )
    .select(['e.id as person_id', 'e.email', 'p.id as provider_id', 'p.company_name'])

/** The person who calls. For a key: the first owner, whose account the key may still show and secure. */
export const personOf = async (db: Db, { person_id, provider_id }: { person_id: string | null; provider_id: string }) =>
  person_id ??
  (
    await db
      .selectFrom('members')
      .select('person_id')
      .where('provider_id', '=', provider_id)
      .where('role', '=', 'owner')
      .orderBy('created_at')
      .orderBy('person_id')
      .executeTakeFirst()
  )?.person_id ??
  ''

/** Those who belong to no other provider are erased. */
export const removeMembers = async (tx: Tx, provider_id: string) => {
  const removed = await tx.deleteFrom('members').where('provider_id', '=', provider_id).returning('person_id').execute()
  const members = removed.map(({ person_id }) => person_id)
  if (members.length === 0) return
  const left = await tx.selectFrom('members').select('person_id').where('person_id', 'in', members).execute()
  const others = new Set(left.map(({ person_id }) => person_id))
  const stranded = members.filter((id) => !others.has(id))
  if (stranded.length === 0) return
  for (const table of ['passwords', 'identities', 'sessions', 'one_time_tokens'] as const)
    await tx.deleteFrom(table).where('person_id', 'in', stranded).execute()
  await tx.deleteFrom('people').where('id', 'in', stranded).execute()
}
