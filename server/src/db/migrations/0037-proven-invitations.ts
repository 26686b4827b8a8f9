import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Whether an invitation was sent with presence. Earlier ones that a member sent stay valid until they expire. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'invitations', { is_proven: 'integer! default 0' })
  await sql`update invitations set is_proven = 1 where invited_by is not null`.execute(tx)
}
