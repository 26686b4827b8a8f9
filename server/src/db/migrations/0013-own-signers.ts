import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/**
 * Signers that are proven to be the provider's own. Earlier bundles may have been signed by any declared signer, so every bundle is
 * checked once more, and none is verified until then.
 */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'declared_signers', {
    challenge: 'text',
    challenge_expires_at: 'bigint',
    proven_at: 'bigint',
    proven_keys: 'text',
  })
  await tx.updateTable('models').set({ bundle_status: 'unknown' }).where('bundle_status', '=', 'verified').execute()
  await tx
    .updateTable('models')
    .set({
      bundle_last_checked: null,
      bundle_verification_details: null,
      bundle_signer: null,
      bundle_due_at: 0,
      bundle_asked_at: 0,
    })
    .where('bundle_due_at', 'is not', null)
    .execute()
}
