import type { Tx } from './schema.ts'

/** What a key asked for ends with the key: otherwise someone might still approve it. */
export const rejectChangesOfRevoked = (tx: Tx, { provider_id, at }: { provider_id: string; at: number }) =>
  tx
    .updateTable('changes')
    .set({ state: 'rejected', decided_at: at, body: null, digest: null })
    .where('provider_id', '=', provider_id)
    .where('state', '=', 'open')
    .where('key_id', 'in', (of) =>
      of.selectFrom('api_keys').select('id').where('provider_id', '=', provider_id).where('revoked_at', 'is not', null),
    )
    .execute()
