import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import { maxLinks, type Week } from './rules.ts'

interface Due {
  id: string
  weekly_report_at: number | null
}

const isWanted = (db: Db) =>
  db
    .selectFrom('providers')
    .where('notify_weekly', '=', 1)
    .where('email_verified_at', 'is not', null)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)

/** Providers whose last weekly email is a week old, or who never got one. */
export const listDueReports = (
  db: Db,
  { before, after, limit }: { before: number; after: string; limit: number },
): Promise<Due[]> =>
  isWanted(db)
    .select(['id', 'weekly_report_at'])
    .where((where) => where.or([where('weekly_report_at', 'is', null), where('weekly_report_at', '<=', before)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Begins a provider's next week, and returns where to send the email. Zero rows if another process did, or the owner opted out. */
export const beginWeek = (tx: Tx, { id, weekly_report_at, at }: Due & { at: number }) =>
  tx
    .updateTable('providers')
    .set({ weekly_report_at: at })
    .where('id', '=', id)
    .where('weekly_report_at', weekly_report_at === null ? 'is' : '=', weekly_report_at)
    .where('notify_weekly', '=', 1)
    .where('email_verified_at', 'is not', null)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('email')
    .executeTakeFirst()

export const readWeek = async (
  db: Db,
  { provider_id, since }: { provider_id: string; since: number },
): Promise<Week> => {
  const newest = db
    .selectFrom('verifications')
    .select(['issued_at', 'opened_at'])
    .where('provider_id', '=', provider_id)
    .orderBy('id', 'desc')
    .limit(maxLinks + 1)
  const { links, opened } = await db
    .selectFrom(newest.as('n'))
    .select((of) => [of.fn.countAll<number>().as('links'), of.fn.count<number>('n.opened_at').as('opened')])
    .where('n.issued_at', '>', since)
    .executeTakeFirstOrThrow()
  const { incidents, open } = await db
    .selectFrom('incidents')
    .select([
      sql<number>`coalesce(sum(case when created_at > ${since} then 1 else 0 end), 0)`.as('incidents'),
      sql<number>`coalesce(sum(case when status in ('reported', 'investigating') then 1 else 0 end), 0)`.as('open'),
    ])
    .where('provider_id', '=', provider_id)
    .executeTakeFirstOrThrow()
  return { links: Number(links), opened: Number(opened), incidents: Number(incidents), open: Number(open) }
}
