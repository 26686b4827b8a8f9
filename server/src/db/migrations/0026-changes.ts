import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

/** Calls of keys and jobs that wait for a person's approval, and how often keys stopped something. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'changes',
    {
      provider_id: 'text!',
      id: 'text!',
      endpoint: 'text!',
      params: 'text!',
      body: 'text',
      if_match: 'text',
      digest: 'text',
      actor: 'text!',
      key_id: 'text',
      state: 'text!',
      created_at: 'bigint!',
      expires_at: 'bigint!',
      decided_at: 'bigint',
      decided_by: 'text',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'changes', ['provider_id', 'digest'], { unique: true })
  await index(tx, 'changes', ['expires_at'])
}
