import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

/** The transparency log. */
export const up = async (tx: Tx) => {
  await table(
    tx,
    'log_state',
    {
      name: 'text!',
      origin: 'text!',
      size: 'bigint!',
      fence: 'bigint!',
      holder: 'text',
      leased_until: 'bigint',
      created_at: 'bigint!',
      opened_at: 'bigint',
      halted: 'text',
    },
    ['name'],
  )
  await table(
    tx,
    'log_keys',
    {
      key_id: 'text!',
      public_x: 'text!',
      private_encrypted: 'text!',
      created_at: 'bigint!',
      signs_from: 'bigint',
      signs_until: 'bigint',
    },
    ['key_id'],
  )
  await table(
    tx,
    'log_facts',
    {
      provider_id: 'text!',
      subject: 'text!',
      fact: 'text!',
      revision: 'bigint!',
      type: 'text!',
      digest: 'text!',
      is_public: 'integer!',
      entry_id: 'text',
    },
    ['provider_id', 'subject', 'fact'],
  )
  const entry = {
    id: 'text!',
    owner: 'text!',
    subject: 'text!',
    type: 'text!',
    is_public: 'integer!',
    at: 'bigint!',
    leaf: 'text!',
    revealed: 'text',
  }
  await table(tx, 'log_pending', { revision: 'bigint!', ...entry }, ['revision', 'id'])
  await table(tx, 'log_entries', { position: 'bigint!', ...entry }, ['position'])
  await index(tx, 'log_entries', ['id'], { unique: true })
  await index(tx, 'log_entries', ['owner', 'position'])
  await index(tx, 'log_entries', ['subject', 'position'])
  await table(tx, 'log_tiles', { level: 'integer!', tile: 'bigint!', hashes: 'bytea!' }, ['level', 'tile'])
  await table(tx, 'log_checkpoints', { size: 'bigint!', note: 'text!', at: 'bigint!' }, ['size'])
  await table(tx, 'log_cosignatures', { size: 'bigint!', witness: 'text!', line: 'text!', at: 'bigint!' }, [
    'size',
    'witness',
  ])
  await table(tx, 'log_witnesses', { name: 'text!', size: 'bigint!', answered_at: 'bigint', trouble: 'text' }, ['name'])
}
