import { createHash } from 'node:crypto'
import type { World } from './world.ts'

const hash = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** A sign-in before its last step: the code, and the cookie of the browser that has it. */
export const insertHandOff = async (world: World, provider_id: string) => {
  const [code, cookie] = [`code-of-${provider_id}`, `cookie-of-${provider_id}`]
  const at = world.clock.now()
  const bounds = { created_at: at, expires_at: at + 60_000, used_at: null, attempts: 0 }
  const nothing = { registration_id: null, email_norm: null, code_hash: null }
  const row = {
    hash: hash(code),
    purpose: 'hand_off' as const,
    person_id: `per_${provider_id.slice(4)}`,
    cookie_hash: hash(cookie),
    data: '{"linked":false}',
  }
  await world.database.transaction((tx) =>
    tx
      .insertInto('one_time_tokens')
      .values({ ...row, ...bounds, ...nothing })
      .execute(),
  )
  return { code, cookie }
}

/** A GitHub user who is connected to a provider. */
export const insertIdentity = async (world: World, provider_id: string) => {
  const row = {
    issuer: 'https://github.invalid/login/oauth',
    subject: provider_id,
    person_id: `per_${provider_id.slice(4)}`,
    login: 'canary',
    email: null,
    linked_at: 1,
  }
  await world.database.transaction((tx) => tx.insertInto('identities').values(row).execute())
}
