import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** A signed request makes one link: its nonce is in the link's own row. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'verifications', { nonce: 'text' })
  await index(tx, 'verifications', ['nonce'], { unique: true, where: 'nonce is not null' })
}
