import { hashSecret } from '../../server/src/secrets.ts'
import type { World } from './world.ts'

/** A call of a key that waits for approval, as if the provider were protected. */
export const insertChange = (
  world: World,
  { id: provider_id, keyId }: { id: string; keyId: string },
  {
    id,
    name,
    state = 'open',
    endpoint = 'keys.create',
    params = '{}',
  }: { id: string; name: string; state?: 'open' | 'delayed'; endpoint?: string; params?: string },
) =>
  world.database.transaction((tx) =>
    tx
      .insertInto('changes')
      .values({
        provider_id,
        id,
        endpoint,
        params,
        body: JSON.stringify({ name }),
        if_match: null,
        digest: id,
        actor: keyId,
        key_id: keyId,
        state,
        created_at: world.clock.now(),
        expires_at: world.clock.now() + 7 * 24 * 3_600_000,
        decided_at: null,
        decided_by: null,
      })
      .execute(),
  )

/** What an owner’s email about a delayed change contains. */
export const insertUndo = (
  world: World,
  { token, ...of }: { token: string; provider_id: string; person_id: string; change_id: string },
) =>
  world.database.transaction((tx) =>
    tx
      .insertInto('one_time_tokens')
      .values({
        purpose: 'undo_change',
        hash: hashSecret(token),
        provider_id: of.provider_id,
        person_id: of.person_id,
        data: JSON.stringify({ change_id: of.change_id }),
        attempts: 0,
        created_at: world.clock.now(),
        expires_at: world.clock.now() + 24 * 3_600_000,
      })
      .execute(),
  )

/** What the email about lost passkeys contains. */
export const insertRecoveryToken = (world: World, { token, person_id }: { token: string; person_id: string }) =>
  world.database.transaction((tx) =>
    tx
      .insertInto('one_time_tokens')
      .values({
        purpose: 'recovery',
        hash: hashSecret(token),
        person_id,
        data: JSON.stringify({ via: 'mailbox' }),
        attempts: 0,
        created_at: world.clock.now(),
        expires_at: world.clock.now() + 24 * 3_600_000,
      })
      .execute(),
  )
