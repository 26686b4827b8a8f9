import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** The ID of the person that a provider’s verified address becomes. */
const personOf = (column: string) => `'per_' || substr(${column}, 5)`

/**
 * People are apart from providers: every verified address becomes one person, who owns its provider. Passwords, identities and sessions
 * belong to people.
 */
export const up = async (tx: Tx) => {
  const run = (statement: string) => sql.raw(statement).execute(tx)

  await table(
    tx,
    'people',
    {
      id: 'text!',
      email: 'text!',
      email_norm: 'text!',
      email_verified_at: 'bigint!',
      email_vouched_by: 'text',
      created_at: 'bigint!',
    },
    ['id'],
  )
  await index(tx, 'people', ['email_norm'], { unique: true })
  await table(tx, 'members', { provider_id: 'text!', person_id: 'text!', role: 'text!', created_at: 'bigint!' }, [
    'provider_id',
    'person_id',
  ])
  await index(tx, 'members', ['person_id'])
  await run(`insert into people
    select ${personOf('id')}, email, email_norm, email_verified_at, email_vouched_by, created_at from providers
    where email_norm is not null and email_verified_at is not null and deleted_at is null`)
  await run(`insert into members select 'prv_' || substr(id, 5), id, 'owner', created_at from people`)

  await table(
    tx,
    'invitations',
    {
      provider_id: 'text!',
      id: 'text!',
      token_hash: 'text!',
      email: 'text!',
      email_norm: 'text!',
      role: 'text!',
      invited_by: 'text',
      created_at: 'bigint!',
      expires_at: 'bigint!',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'invitations', ['token_hash'], { unique: true })
  await index(tx, 'invitations', ['provider_id', 'email_norm'], { unique: true })
  await index(tx, 'invitations', ['expires_at'])

  for (const owned of ['passwords', 'identities']) {
    await run(`alter table ${owned} rename column provider_id to person_id`)
    await run(`update ${owned} set person_id = ${personOf('person_id')}`)
    await run(`delete from ${owned} where person_id not in (select id from people)`)
  }
  await addColumns(tx, 'sessions', { person_id: 'text' })
  await run(`update sessions set person_id = ${personOf('provider_id')}`)
  await run(`delete from sessions where person_id not in (select id from people)`)
  await index(tx, 'sessions', ['person_id'])

  // The person who made a key, and the role they had; null for keys from before.
  await addColumns(tx, 'api_keys', { person_id: 'text', role: 'text' })
  await addColumns(tx, 'one_time_tokens', { person_id: 'text' })
  await run(`update one_time_tokens set person_id = ${personOf('provider_id')}, provider_id = null
    where purpose in ('setup', 'reset', 'link', 'hand_off') and provider_id is not null`)
  // Attempts to link that have not come back name a provider.
  await run(`delete from one_time_tokens where purpose = 'oauth_state' and provider_id is not null`)
  await index(tx, 'one_time_tokens', ['person_id', 'purpose'])
}
