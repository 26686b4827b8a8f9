import type { Tx } from '../schema.ts'
import { table } from './build.ts'

/** Entries of the log about which owners are emailed, once each. */
export const up = (tx: Tx) =>
  table(
    tx,
    'log_notices',
    { provider_id: 'text!', entry_id: 'text!', type: 'text!', at: 'bigint!', mailed_at: 'bigint', mail_id: 'text' },
    ['provider_id', 'entry_id'],
  )
