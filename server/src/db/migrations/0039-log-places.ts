import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** The next entries of the log get their places before they are signed. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'log_pending', { position: 'bigint' })
  await index(tx, 'log_pending', ['position'], { unique: true, where: 'position is not null' })
}
