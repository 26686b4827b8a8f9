import type { Tx } from '../schema.ts'

/** For finding all versions of a digest. */
export const up = (tx: Tx) => tx.schema.createIndex('models_by_digest').on('models').column('model_digest').execute()
