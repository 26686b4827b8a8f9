import type { Tx } from '../schema.ts'
import { addColumns, index, table } from './build.ts'

/** The files of a version, what was signed, by whom, and who may sign. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'models', {
    bundle_signer: 'text',
    bundle_root: 'text',
    bundle_due_at: 'bigint',
    bundle_asked_at: 'bigint',
    bundle_failures: 'integer! default 0',
    // Last because it is long: the columns that every link reads come before it.
    bundle_verdict: 'text',
  })
  await index(tx, 'models', ['bundle_due_at'], { where: 'bundle_due_at is not null' })

  await table(
    tx,
    'bundles',
    {
      provider_id: 'text!',
      model_id: 'text!',
      source: 'text!',
      url: 'text',
      bytes: 'bytea!',
      sha256: 'text!',
      received_at: 'bigint!',
    },
    ['provider_id', 'model_id'],
  )

  await table(
    tx,
    'model_files',
    { provider_id: 'text!', model_id: 'text!', first_position: 'integer!', files: 'text!' },
    ['provider_id', 'model_id', 'first_position'],
  )

  await table(
    tx,
    'declared_signers',
    {
      provider_id: 'text!',
      id: 'text!',
      api_model_identifier: 'text',
      signer: 'text!',
      created_at: 'bigint!',
    },
    ['provider_id', 'id'],
  )
}
