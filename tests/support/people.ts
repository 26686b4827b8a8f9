import type { Role } from '@countersign/sdk/contract'
import type { Tx } from '../../server/src/db/schema.ts'

/** Verifies a provider’s address without an email: the person who has it becomes the provider’s owner. */
export const insertOwner = async (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) => {
  const person_id = `per_${provider_id.slice(4)}`
  const { email, email_norm } = await tx
    .updateTable('providers')
    .set({ email_verified_at: at })
    .where('id', '=', provider_id)
    .returning(['email', 'email_norm'])
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('people')
    .values({
      id: person_id,
      email: email ?? `${person_id}@acme.example`,
      email_norm: email_norm ?? `${person_id}@acme.example`,
      email_verified_at: at,
      email_vouched_by: null,
      created_at: at,
    })
    .execute()
  await tx.insertInto('members').values({ provider_id, person_id, role: 'owner', created_at: at }).execute()
  return person_id
}

/** Someone with a role in a provider, without an invitation. */
export const insertMember = async (
  tx: Tx,
  {
    provider_id,
    person_id,
    email,
    role,
    at,
  }: { provider_id: string; person_id: string; email: string; role: Role; at: number },
) => {
  await tx
    .insertInto('people')
    .values({ id: person_id, email, email_norm: email, email_verified_at: at, email_vouched_by: null, created_at: at })
    .execute()
  await tx.insertInto('members').values({ provider_id, person_id, role, created_at: at }).execute()
}
