import type { Db } from './schema.ts'

/** The person who verified a mailbox; a constraint allows one. */
export const findPersonAt = (db: Db, email_norm: string) =>
  db.selectFrom('people').select(['id', 'email']).where('email_norm', '=', email_norm).executeTakeFirst()

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

/** The owner who joined first. */
const firstOwnerOf = (db: Db, provider_id: string) =>
  db
    .selectFrom('members')
    .select('person_id')
    .where('provider_id', '=', provider_id)
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .orderBy('person_id')
    .limit(1)

/** The person who calls. For a key: the first owner, whose account the key may still show and secure. */
export const personOf = async (db: Db, { person_id, provider_id }: { person_id: string | null; provider_id: string }) =>
  person_id ?? (await firstOwnerOf(db, provider_id).executeTakeFirst())?.person_id ?? ''

/** Rows of people who belong to no provider. */
export const findStranded = (db: Db, person_ids: readonly string[]) =>
  db
    .selectFrom('people as e')
    .select(['e.id', 'e.email', 'e.email_norm', 'e.email_verified_at', 'e.email_vouched_by'])
    .where('e.id', 'in', person_ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members as m')
            .innerJoin('providers as q', 'q.id', 'm.provider_id')
            .select('m.person_id')
            .whereRef('m.person_id', '=', 'e.id')
            .where('q.deleted_at', 'is', null),
        ),
      ),
    )
    .execute()

/** Emails that concern all owners go to each of them, regardless of their settings. */
export const listOwnerMailboxes = (db: Db, provider_id: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('people as e', 'e.id', 'm.person_id')
    .select(['e.id', 'e.email'])
    .where('m.provider_id', '=', provider_id)
    .where('m.role', '=', 'owner')
    .orderBy('m.created_at')
    .limit(100)
    .execute()
