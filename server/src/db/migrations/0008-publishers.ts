import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** CI jobs that publish with an identity token instead of a key. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'trusted_publishers',
    {
      provider_id: 'text!',
      id: 'text!',
      kind: 'text!',
      issuer: 'text!',
      repository: 'text',
      repository_id: 'text',
      repository_owner_id: 'text',
      workflow: 'text',
      environment: 'text',
      subject: 'text',
      identity: 'text!',
      created_at: 'bigint!',
      last_used_at: 'bigint',
      last_refused_at: 'bigint',
      last_refused_claim: 'text',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'trusted_publishers', ['provider_id', 'identity'], { unique: true })

  await table(tx, 'used_identity_tokens', { hash: 'text!', expires_at: 'bigint!' }, ['hash'])
  await index(tx, 'used_identity_tokens', ['expires_at'])

  await addColumns(tx, 'api_keys', { publisher_id: 'text', publisher_run: 'text' })
  await index(tx, 'api_keys', ['provider_id', 'publisher_id', 'expires_at'], {
    where: 'publisher_id is not null',
    name: 'api_keys_of_publisher',
  })
  await index(tx, 'api_keys', ['expires_at'], { where: 'publisher_id is not null', name: 'api_keys_to_sweep' })
}
