import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

/** People have passkeys and authenticators, with which their sessions prove presence. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'factors',
    {
      person_id: 'text!',
      id: 'text!',
      kind: 'text!',
      name: 'text!',
      credential_id: 'text',
      public_key: 'text',
      transports: 'text',
      secret: 'text',
      counter: 'bigint!',
      created_at: 'bigint!',
      effective_at: 'bigint!',
      removes_at: 'bigint',
      last_used_at: 'bigint',
    },
    ['person_id', 'id'],
  )
  await index(tx, 'factors', ['credential_id'], { unique: true })
  await table(tx, 'recovery_codes', { person_id: 'text!', code_hash: 'text!', created_at: 'bigint!' }, [
    'person_id',
    'code_hash',
  ])
  await table(
    tx,
    'presences',
    {
      session_id: 'text!',
      hash: 'text!',
      person_id: 'text!',
      factor_id: 'text!',
      method: 'text',
      path: 'text',
      body_digest: 'text',
      created_at: 'bigint!',
      expires_at: 'bigint!',
      used_at: 'bigint',
    },
    ['session_id'],
  )
  await index(tx, 'presences', ['expires_at'])
}
