import { randomUUID } from 'node:crypto'
import { hashSecret } from '../../server/src/secrets.ts'
import type { World } from './world.ts'

const factorIdOf = (person_id: string) => `fac_7${person_id.slice(5)}`

/** Gives a person a passkey that counts, without a browser. */
export const protect = async (world: World, person_id: string): Promise<void> => {
  const at = world.clock.now()
  await world.database.transaction((tx) =>
    tx
      .insertInto('factors')
      .values({
        person_id,
        id: factorIdOf(person_id),
        kind: 'passkey',
        name: 'Laptop',
        credential_id: randomUUID(),
        public_key: 'AA',
        transports: '[]',
        secret: null,
        counter: 0,
        created_at: at,
        effective_at: at,
        removes_at: null,
        last_used_at: null,
      })
      .execute(),
  )
}

/** The cookie of a session whose person was there a moment ago. */
export const insertPresence = async (
  world: World,
  { session_id, person_id }: { session_id: string; person_id: string },
) => {
  const [secret, at] = [randomUUID(), world.clock.now()]
  const row = {
    hash: hashSecret(secret),
    person_id,
    factor_id: factorIdOf(person_id),
    method: null,
    path: null,
    body_digest: null,
    created_at: at,
    expires_at: at + 5 * 60_000,
    used_at: at,
  }
  await world.database.transaction((tx) =>
    tx
      .insertInto('presences')
      .values({ session_id, ...row })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
      .execute(),
  )
  return { headers: { cookie: `__Host-presence=${secret}` } }
}
