import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Since when the registry no longer accepts the issuer of a trusted publisher. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'trusted_publishers', { issuer_refused_at: 'bigint' })
}
