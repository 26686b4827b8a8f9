import { mailboxOf, type Role } from '@countersign/sdk/contract'
import type { Insertable, Selectable } from 'kysely'
import { effectiveFactors } from '../db/factors.ts'
import { primaryProof } from '../db/proofs.ts'
import type { Db, InvitationTable, MemberTable, PersonTable, ProviderTable, Tx } from '../db/schema.ts'
import { lookAlikeFlag, similarNameDomain } from '../names/store.ts'

/** Violates the constraint if someone has verified the mailbox. */
export const insertPerson = (tx: Tx, person: Insertable<PersonTable>) =>
  tx.insertInto('people').values(person).execute()

export const findPerson = (db: Db, id: string) =>
  db.selectFrom('people').select('email').where('id', '=', id).executeTakeFirst()

/**
 * An existing member gets the new role, but an owner stays an owner: otherwise an old invitation could take the last
 * one away.
 */
export const putMember = (tx: Tx, member: Insertable<MemberTable>) =>
  tx
    .insertInto('members')
    .values(member)
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'person_id'])
        .doUpdateSet({ role: member.role })
        .where('members.role', '!=', 'owner'),
    )
    .execute()

/** From now on it was verified by us. */
export const markMailboxVerified = (tx: Tx, { email_norm, at }: { email_norm: string; at: number }) =>
  tx
    .updateTable('people')
    .set({ email_verified_at: at, email_vouched_by: null })
    .where('email_norm', '=', email_norm)
    .returning('id')
    .executeTakeFirst()

/** Changes of one provider’s members wait for each other, so that one owner always remains. */
export const lockMembers = (tx: Tx, provider_id: string) =>
  tx
    .updateTable('providers')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('id', '=', provider_id)
    .execute()

const selectMembers = (db: Db, provider_id: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('people as e', 'e.id', 'm.person_id')
    .select(['m.person_id', 'm.role', 'm.created_at', 'e.email'])
    .where('m.provider_id', '=', provider_id)

export type MemberRow = { person_id: string; role: Role; created_at: number; email: string }

/** Longest members first. */
export const listMembers = (db: Db, provider_id: string): Promise<MemberRow[]> =>
  selectMembers(db, provider_id).orderBy('m.created_at').orderBy('m.person_id').limit(500).execute()

export const findMember = (
  db: Db,
  { provider_id, person_id }: { provider_id: string; person_id: string },
): Promise<MemberRow | undefined> =>
  selectMembers(db, provider_id).where('m.person_id', '=', person_id).executeTakeFirst()

export const countOwners = async (db: Db, provider_id: string) => {
  const { owners } = await db
    .selectFrom('members')
    .select((row) => row.fn.countAll<number>().as('owners'))
    .where('provider_id', '=', provider_id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(owners)
}

export const setRole = (
  tx: Tx,
  { provider_id, person_id, role }: { provider_id: string; person_id: string; role: Role },
) =>
  tx
    .updateTable('members')
    .set({ role })
    .where('provider_id', '=', provider_id)
    .where('person_id', '=', person_id)
    .execute()

export const deleteMember = (tx: Tx, { provider_id, person_id }: { provider_id: string; person_id: string }) =>
  tx.deleteFrom('members').where('provider_id', '=', provider_id).where('person_id', '=', person_id).execute()

export const revokeSessionsOf = (tx: Tx, of: { provider_id: string; person_id: string; at: number }) =>
  tx
    .updateTable('sessions')
    .set({ revoked_at: of.at })
    .where('provider_id', '=', of.provider_id)
    .where('person_id', '=', of.person_id)
    .where('revoked_at', 'is', null)
    .execute()

/* ---- keys that a member made ---- */

export const listKeysOf = (db: Db, { provider_id, person_id }: { provider_id: string; person_id: string }) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'scopes'])
    .where('provider_id', '=', provider_id)
    .where('person_id', '=', person_id)
    .where('revoked_at', 'is', null)
    .execute()

export const revokeKeys = (
  tx: Tx,
  { provider_id, ids, at }: { provider_id: string; ids: readonly string[]; at: number },
) =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', 'in', ids)
    .execute()

/** The provider’s own from now on. */
export const keepKeys = (tx: Tx, { provider_id, ids }: { provider_id: string; ids: readonly string[] }) =>
  tx
    .updateTable('api_keys')
    .set({ person_id: null })
    .where('provider_id', '=', provider_id)
    .where('id', 'in', ids)
    .execute()

export const limitKey = (
  tx: Tx,
  { provider_id, id, role, scopes }: { provider_id: string; id: string; role: Role; scopes: string | null },
) =>
  tx.updateTable('api_keys').set({ role, scopes }).where('provider_id', '=', provider_id).where('id', '=', id).execute()

/* ---- invitations ---- */

export type InvitationRow = Omit<Selectable<InvitationTable>, 'token_hash'> & { inviter: string | null }

const selectInvitations = (db: Db) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('people as e', 'e.id', 'i.invited_by')
    .select([
      'i.provider_id',
      'i.id',
      'i.email',
      'i.email_norm',
      'i.role',
      'i.invited_by',
      'i.is_proven',
      'i.created_at',
      'i.expires_at',
      'e.email as inviter',
    ])

/** Newest first. */
export const listInvitations = (
  db: Db,
  { provider_id, at }: { provider_id: string; at: number },
): Promise<InvitationRow[]> =>
  selectInvitations(db)
    .where('i.provider_id', '=', provider_id)
    .where('i.expires_at', '>', at)
    .orderBy('i.id', 'desc')
    .limit(100)
    .execute()

export const findInvitation = (db: Db, { token_hash, at }: { token_hash: string; at: number }) =>
  selectInvitations(db).where('i.token_hash', '=', token_hash).where('i.expires_at', '>', at).executeTakeFirst()

/** A new one for an address replaces the old one: the old link stops working. */
export const putInvitation = async (tx: Tx, row: Insertable<InvitationTable>) => {
  await tx
    .deleteFrom('invitations')
    .where('provider_id', '=', row.provider_id)
    .where('email_norm', '=', row.email_norm)
    .execute()
  await tx.insertInto('invitations').values(row).execute()
}

/** Addresses that a member had before. */
const listEarlierAddresses = async (tx: Tx, { provider_id, person_id }: { provider_id: string; person_id: string }) => {
  const rows = await tx
    .selectFrom('events')
    .select('before')
    .where('provider_id', '=', provider_id)
    .where('subject_type', '=', 'person')
    .where('subject_id', '=', person_id)
    .where('action', '=', 'member.email_changed')
    .execute()
  return rows.flatMap(({ before }) => {
    const { email } = JSON.parse(before ?? '{}') as { email?: string }
    return email === undefined ? [] : [mailboxOf(email)]
  })
}

/** Invitations by someone who may no longer send them, and to an address that they have or had. Returns their IDs. */
export const deleteInvitationsOf = async (tx: Tx, of: { provider_id: string; person_id: string }) => {
  const { provider_id, person_id } = of
  const earlier = await listEarlierAddresses(tx, of)
  return (
    await tx
      .deleteFrom('invitations')
      .where('provider_id', '=', provider_id)
      .where(({ eb, or, selectFrom }) =>
        or([
          eb('invited_by', '=', person_id),
          eb('email_norm', '=', selectFrom('people').select('email_norm').where('id', '=', person_id)),
          ...(earlier.length > 0 ? [eb('email_norm', 'in', earlier)] : []),
        ]),
      )
      .returning('id')
      .execute()
  ).map(({ id }) => id)
}

/** Providers that are protected by now, with invitations that were sent before. */
export const listProvidersWithUnproven = async (db: Db, { at, limit }: { at: number; limit: number }) =>
  (
    await effectiveFactors(db, at)
      .innerJoin('members as m', 'm.person_id', 'factors.person_id')
      .innerJoin('invitations as i', 'i.provider_id', 'm.provider_id')
      .select('i.provider_id')
      .distinct()
      .where('m.role', '=', 'owner')
      .where('i.is_proven', '=', 0)
      .where('i.expires_at', '>', at)
      .limit(limit)
      .execute()
  ).map(({ provider_id }) => provider_id)

export const deleteUnproven = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  tx
    .deleteFrom('invitations')
    .where('provider_id', '=', provider_id)
    .where('is_proven', '=', 0)
    .where('expires_at', '>', at)
    .returning(['id', 'email', 'role'])
    .execute()

/** If several requests race, only one gets its row. */
export const takeInvitation = (tx: Tx, { provider_id, id }: { provider_id: string; id: string }) =>
  tx
    .deleteFrom('invitations')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returning(['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
    .executeTakeFirst()

/* ---- the providers of a person ---- */

const companyColumns = ['p.id', 'p.company_name', 'p.name_skeleton', 'p.unfit_name', 'p.domain'] as const

export type CompanyRow = Pick<
  Selectable<ProviderTable>,
  'id' | 'company_name' | 'name_skeleton' | 'unfit_name' | 'domain'
> & { proven_at: number | null; is_look_alike: number }

export const findProvider = (db: Db, id: string, at: number) =>
  db
    .selectFrom('providers as p')
    .select(companyColumns)
    .select([primaryProof('p', at).proven_at.as('proven_at'), similarNameDomain(at), lookAlikeFlag(at)])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

export const listProvidersOf = (db: Db, person_id: string, at: number) =>
  db
    .selectFrom('members as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select('m.role')
    .select(companyColumns)
    .select([primaryProof('p', at).proven_at.as('proven_at'), lookAlikeFlag(at)])
    .where('m.person_id', '=', person_id)
    .where('p.deleted_at', 'is', null)
    .orderBy('m.created_at')
    .orderBy('p.id')
    .limit(100)
    .execute()

/** The providers that a person owns, with the number of their owners. */
export const listOwned = async (db: Db, person_id: string) => {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .innerJoin('members as o', 'o.provider_id', 'm.provider_id')
    .select((row) => ['p.id', 'p.company_name', row.fn.countAll<number>().as('owners')])
    .where('m.person_id', '=', person_id)
    .where('m.role', '=', 'owner')
    .where('o.role', '=', 'owner')
    .where('p.deleted_at', 'is', null)
    .groupBy(['p.id', 'p.company_name'])
    .orderBy('p.id')
    .execute()
  return rows.map(({ owners, ...row }) => ({ ...row, owners: Number(owners) }))
}

export const insertOwnProvider = (tx: Tx, provider: Insertable<ProviderTable>) =>
  tx.insertInto('providers').values(provider).execute()

/** Whether the mailbox is already the verified address of a provider. */
export const isContact = async (db: Db, email_norm: string) =>
  (await db
    .selectFrom('providers')
    .select('id')
    .where('email_norm', '=', email_norm)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined
