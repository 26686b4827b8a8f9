import { sql } from 'kysely'
import type { Tx } from '../schema.ts'
import { addColumns } from './build.ts'

/** Events keep the person who acted: rows of sessions are deleted after they end. */
export const up = async (tx: Tx) => {
  await addColumns(tx, 'events', { person_id: 'text' })
  await sql`update events set person_id = (select s.person_id from sessions s where s.id = events.actor)
    where actor like 'ses!_%' escape '!'`.execute(tx)
}
