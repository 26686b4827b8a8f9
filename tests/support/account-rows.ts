import { hash } from 'node:crypto'
import type { ProviderActor } from './actors.ts'
import { insertOwner } from './people.ts'
import type { World } from './world.ts'

export const password = 'a quiet heron at dawn'
/** The hash of that password, at the cost of tests’ worlds. */
const passwordHash = '$argon2id$v=19$m=64,t=1,p=1$Nn0ypqgbiDl/vlCeQV9z3g$VDgl+ZVvQmUjVGWtf5ZxqBT4sqNa1gIN2y3f8K7TC6A'

const later = (world: World) => world.clock.now() + 3_600_000

/** A provider with a password, a session, and a token for setting a password. */
export const insertAccount = async (world: World, { id }: Pick<ProviderActor, 'id'>) => {
  const at = world.clock.now()
  const setup_token = `setup of ${id}`
  const session_id = `ses_${id.slice(4)}`
  await world.database.transaction(async (tx) => {
    const person_id = await insertOwner(tx, { provider_id: id, at })
    await tx.insertInto('passwords').values({ person_id, hash: passwordHash, set_at: at }).execute()
    await tx
      .insertInto('sessions')
      .values({
        person_id,
        provider_id: id,
        id: session_id,
        token_hash: 'nobody knows',
        created_at: at,
        last_used_at: at,
        expires_at: later(world),
      })
      .execute()
    await tx
      .insertInto('one_time_tokens')
      .values({
        hash: hash('sha256', setup_token, 'hex'),
        purpose: 'setup',
        person_id,
        attempts: 0,
        created_at: at,
        expires_at: later(world),
      })
      .execute()
  })
  return { session_id, setup_token }
}

/** The token of an email that takes back a changed address. Here it is the same token. */
export const insertRestoreToken = async (world: World, { token, person_id }: { token: string; person_id: string }) => {
  const at = world.clock.now()
  const { email } = await world.database.read
    .selectFrom('people')
    .select('email')
    .where('id', '=', person_id)
    .executeTakeFirstOrThrow()
  await world.database.transaction((tx) =>
    tx
      .insertInto('one_time_tokens')
      .values({
        hash: hash('sha256', token, 'hex'),
        purpose: 'old_mailbox',
        person_id,
        data: JSON.stringify({ email }),
        attempts: 0,
        created_at: at,
        expires_at: later(world),
      })
      .execute(),
  )
}
