import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

/** Names near those of a company, and the keys to find them by. */
export const up = async (tx: Tx) => {
  const name = { provider_id: 'text!', kind: 'text!', own: 'text!' }
  await table(tx, 'log_near_keys', { ...name, fragment: 'text!' }, ['provider_id', 'kind', 'own', 'fragment'])
  await index(tx, 'log_near_keys', ['fragment'])
  await table(
    tx,
    'log_near',
    {
      provider_id: 'text!',
      other: 'text!',
      what: 'text!',
      field: 'text!',
      own: 'text!',
      near: 'text!',
      entry_id: 'text!',
      position: 'bigint!',
      at: 'bigint!',
    },
    ['provider_id', 'other', 'what'],
  )
}
