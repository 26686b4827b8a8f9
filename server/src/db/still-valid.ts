import { Refusal, type Role } from '@countersign/sdk/contract'
import type { Tx } from './schema.ts'

interface Known {
  provider_id: string
  person_id: string | null
  role: Role
  key_id: string | null
  session_id: string | null
}

/** After waiting for another server: the key may be revoked by now, or the person removed. */
export const checkStillValid = async (tx: Tx, { provider_id, person_id, role, key_id, session_id }: Known) => {
  const found =
    session_id === null
      ? await tx
          .selectFrom('api_keys')
          .select('id')
          .where('provider_id', '=', provider_id)
          .where('id', '=', key_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
      : await tx
          .selectFrom('members as m')
          .innerJoin('sessions as s', 's.person_id', 'm.person_id')
          .select('s.id')
          .where('m.provider_id', '=', provider_id)
          .where('m.person_id', '=', person_id)
          .where('m.role', '=', role)
          .where('s.id', '=', session_id)
          .where('s.revoked_at', 'is', null)
          .executeTakeFirst()
  if (!found) throw new Refusal('unauthorized', 'Your key or session ended in the meantime. Nothing was changed.')
}
