import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** Identities of platforms that stand for deployments, and the keys that they were given for an hour. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'workloads',
    {
      provider_id: 'text!',
      id: 'text!',
      deployment_id: 'text!',
      issuer: 'text!',
      subject: 'text!',
      claims: 'text!',
      audience: 'text!',
      identity: 'text!',
      created_at: 'bigint!',
      last_used_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'workloads', ['provider_id', 'identity'], { unique: true })
  await table(
    tx,
    'workload_keys',
    {
      provider_id: 'text!',
      spki_fingerprint: 'text!',
      workload_id: 'text!',
      created_at: 'bigint!',
      expires_at: 'bigint!',
    },
    ['provider_id', 'spki_fingerprint'],
  )
  await index(tx, 'workload_keys', ['expires_at'])
  await addColumns(tx, 'verifications', { workload_id: 'text', workload: 'text' })
}
