import type { Tx } from '../schema.ts'

/** Named as in the code: what a suspended change removed, for restoring it. */
export const up = (tx: Tx) => tx.schema.alterTable('key_reviews').renameColumn('held', 'kept').execute()
