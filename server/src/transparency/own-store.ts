import { sql } from 'kysely'
import { type PageQuery, readPage } from '../db/paging.ts'
import type { Db } from '../db/schema.ts'

const columns = ['id', 'subject', 'type', 'is_public', 'at', 'leaf', 'revealed'] as const

/** After every position: entries that wait to be logged are the newest. */
const waiting = sql<number>`cast(${Number.MAX_SAFE_INTEGER} as bigint)`

/** The entries about a provider, newest first. Both tables are read in one statement, so no entry is missed on its way between them. */
export const listOwnEntries = async (db: Db, owner: string, page: PageQuery) => {
  const own = db
    .selectFrom('log_entries')
    .select([...columns, 'position'])
    .where('owner', '=', owner)
    .unionAll(
      db
        .selectFrom('log_pending')
        .select([...columns, waiting.as('position')])
        .where('owner', '=', owner),
    )
  const { rows, next_cursor } = await readPage(
    db.selectFrom(own.as('e')).selectAll(),
    { key: sql.ref('e.position'), keyType: 'number', id: sql.ref('e.id'), direction: 'desc' },
    page,
  )
  const entries = rows.map(({ position, ...row }) => ({
    ...row,
    position: Number(position) === Number.MAX_SAFE_INTEGER ? null : Number(position),
  }))
  return { rows: entries, next_cursor }
}

export type OwnEntry = Awaited<ReturnType<typeof listOwnEntries>>['rows'][number]
