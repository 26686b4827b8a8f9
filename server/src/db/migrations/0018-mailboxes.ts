import type { Tx } from '../schema.ts'
import { addColumns, index } from './build.ts'

/** Emails that strangers can trigger are counted per inbox, for all its aliases. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'mails', { inbox: 'text' })
  await index(tx, 'mails', ['inbox', 'created_at'], { where: 'cap is not null' })
}
