import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** After a restore, every provider is suspended until its owner confirms the account. */
export const up = (tx: Tx) => addColumns(tx, 'providers', { suspended_at: 'bigint' })
