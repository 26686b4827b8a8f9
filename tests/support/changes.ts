import type { World } from './world.ts'

/** A call of a key that waits for approval, as if the provider were protected. */
export const insertChange = (
  world: World,
  { id: provider_id, keyId }: { id: string; keyId: string },
  { id, name }: { id: string; name: string },
) =>
  world.database.transaction((tx) =>
    tx
      .insertInto('changes')
      .values({
        provider_id,
        id,
        endpoint: 'keys.create',
        params: '{}',
        body: JSON.stringify({ name }),
        if_match: null,
        digest: id,
        actor: keyId,
        key_id: keyId,
        state: 'open',
        created_at: world.clock.now(),
        expires_at: world.clock.now() + 7 * 24 * 3_600_000,
        decided_at: null,
        decided_by: null,
      })
      .execute(),
  )
