import { randomUUID } from 'node:crypto'
import type { Authenticator } from './authenticator.ts'
import { createAuthenticator } from './authenticator.ts'
import type { World } from './world.ts'

type Client = World['anyone']

/** Adds a first passkey, with the code from the email. */
export const addPasskey = async (
  world: Pick<World, 'publicUrl' | 'mails'>,
  client: Client,
  { name = 'Laptop', authenticator = createAuthenticator({ origin: world.publicUrl }) } = {},
): Promise<{ id: string; authenticator: Authenticator; recovery_codes: string[] | null }> => {
  const email = (await client.members.list()).members.find(({ is_you }) => is_you)?.email
  await client.factors.sendCode({})
  const code = (await world.mails(email ?? '')).at(-1)?.code ?? ''
  const passkey = authenticator.create(await client.factors.begin({ code }))
  const { id, recovery_codes } = await client.factors.add({ name, passkey })
  return { id, authenticator, recovery_codes }
}

/** A factor that does not count yet. */
export const insertPendingFactor = async (world: World, { person_id, id }: { person_id: string; id: string }) => {
  const at = world.clock.now()
  await world.database.transaction((tx) =>
    tx
      .insertInto('factors')
      .values({
        person_id,
        id,
        kind: 'passkey',
        name: 'Canary phone',
        credential_id: randomUUID(),
        public_key: 'AA',
        transports: '[]',
        secret: null,
        counter: 0,
        created_at: at,
        effective_at: at + 24 * 3_600_000,
        removes_at: null,
        last_used_at: null,
      })
      .execute(),
  )
}
