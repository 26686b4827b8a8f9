import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

/** Entries of the log that their owner says were not theirs, for the operator. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'log_disputes',
    {
      provider_id: 'text!',
      id: 'text!',
      entry_id: 'text!',
      position: 'bigint!',
      leaf_hash: 'text!',
      actor: 'text!',
      created_at: 'bigint!',
      closed_at: 'bigint',
      closed_reason: 'text',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'log_disputes', ['provider_id', 'entry_id'], { unique: true })
}
