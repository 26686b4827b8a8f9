import type { Tx } from './schema.ts'

const rejectOpen = (tx: Tx, at: number) =>
  tx
    .updateTable('changes')
    .set({ state: 'rejected', decided_at: at, body: null, digest: null })
    .where('state', '=', 'open')

/** The changes that a key asked for end with the key: otherwise someone might still approve it. */
export const rejectChangesOfRevoked = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  rejectOpen(tx, at)
    .where('provider_id', '=', provider_id)
    .where('key_id', 'in', (of) =>
      of.selectFrom('api_keys').select('id').where('provider_id', '=', provider_id).where('revoked_at', 'is not', null),
    )
    .execute()

/** The same for a signed-in device whose session was ended. */
export const rejectChangesOfEnded = (tx: Tx, { person_id, at }: { person_id: string; at: number }) =>
  rejectOpen(tx, at)
    .where('provider_id', 'in', (of) =>
      of.selectFrom('members').select('provider_id').where('person_id', '=', person_id),
    )
    .where('actor', 'in', (of) =>
      of.selectFrom('sessions').select('id').where('person_id', '=', person_id).where('revoked_at', 'is not', null),
    )
    .execute()

/** The same for the devices of a member who was removed, or has another role now. */
export const rejectChangesOfDevices = (
  tx: Tx,
  { provider_id, person_id, at }: { provider_id: string; person_id: string; at: number },
) =>
  rejectOpen(tx, at)
    .where('provider_id', '=', provider_id)
    .where('actor', 'in', (of) => of.selectFrom('sessions').select('id').where('person_id', '=', person_id))
    .execute()
