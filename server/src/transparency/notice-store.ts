import type { Insertable, Selectable } from 'kysely'
import type { Db, LogNoticeTable, Tx } from '../db/schema.ts'

export type Notice = Selectable<LogNoticeTable>

export const insertNotices = async (tx: Tx, notices: readonly Insertable<LogNoticeTable>[]) => {
  if (notices.length > 0) await tx.insertInto('log_notices').values(notices).execute()
}

/** Providers whose owners wait for an email. */
export const listNoticed = async (db: Db, { after, limit }: { after: string; limit: number }): Promise<string[]> => {
  const rows = await db
    .selectFrom('log_notices')
    .select('provider_id')
    .distinct()
    .where('mailed_at', 'is', null)
    .where('provider_id', '>', after)
    .orderBy('provider_id')
    .limit(limit)
    .execute()
  return rows.map(({ provider_id }) => provider_id)
}

const mostInOneEmail = 200

/** Oldest first. */
export const listUnsent = (db: Db, provider_id: string): Promise<Notice[]> =>
  db
    .selectFrom('log_notices')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('mailed_at', 'is', null)
    .orderBy('at')
    .orderBy('entry_id')
    .limit(mostInOneEmail)
    .execute()

export const countEmails = async (db: Db, { provider_id, since }: { provider_id: string; since: number }) => {
  const row = await db
    .selectFrom('log_notices')
    .select(({ fn }) => fn.count<number>('mail_id').distinct().as('count'))
    .where('provider_id', '=', provider_id)
    .where('mailed_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface Claim {
  provider_id: string
  ids: readonly string[]
  mail_id: string
  at: number
}

/** The entries that this email is about: those that no other process claimed. */
export const claimNotices = async (tx: Tx, { provider_id, ids, mail_id, at }: Claim): Promise<string[]> => {
  const rows = await tx
    .updateTable('log_notices')
    .set({ mailed_at: at, mail_id })
    .where('provider_id', '=', provider_id)
    .where('entry_id', 'in', ids)
    .where('mailed_at', 'is', null)
    .returning('entry_id')
    .execute()
  return rows.map(({ entry_id }) => entry_id)
}

export const removeNotices = (tx: Tx, before: number) =>
  tx.deleteFrom('log_notices').where('mailed_at', '<', before).execute()
