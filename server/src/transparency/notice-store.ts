import type { Insertable, Selectable } from 'kysely'
import type { Db, LogNoticeTable, Tx } from '../db/schema.ts'

export type Notice = Selectable<LogNoticeTable>

/** The type of a notice about a name of another company near the owner's. All others are about entries on what is the owner's. */
export const nearNotice = 'name.near'

/** Strangers cause those about near names, so they are sent and counted apart. */
export const noticeKinds = ['own', 'near'] as const

interface Kind {
  provider_id: string
  kind: (typeof noticeKinds)[number]
}

const noticesOf = (db: Db, { provider_id, kind }: Kind) =>
  db
    .selectFrom('log_notices')
    .where('provider_id', '=', provider_id)
    .where('type', kind === 'near' ? '=' : '<>', nearNotice)

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
export const listUnsent = (db: Db, of: Kind): Promise<Notice[]> =>
  noticesOf(db, of)
    .selectAll()
    .where('mailed_at', 'is', null)
    .orderBy('at')
    .orderBy('entry_id')
    .limit(mostInOneEmail)
    .execute()

export const countEmails = async (db: Db, { since, ...of }: Kind & { since: number }) => {
  const row = await noticesOf(db, of)
    .select(({ fn }) => fn.count<number>('mail_id').distinct().as('count'))
    .where('mailed_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface Claim {
  provider_id: string
  ids: readonly string[]
  at: number
}

/** The entries that an email may be about: those that no other process claimed. */
export const claimNotices = async (tx: Tx, { provider_id, ids, at }: Claim): Promise<string[]> => {
  const rows = await tx
    .updateTable('log_notices')
    .set({ mailed_at: at })
    .where('provider_id', '=', provider_id)
    .where('entry_id', 'in', ids)
    .where('mailed_at', 'is', null)
    .returning('entry_id')
    .execute()
  return rows.map(({ entry_id }) => entry_id)
}

interface Emailed {
  provider_id: string
  ids: readonly string[]
  mail_id: string
}

/** Only entries in an email count as one. */
export const markEmailed = (tx: Tx, { provider_id, ids, mail_id }: Emailed) =>
  tx
    .updateTable('log_notices')
    .set({ mail_id })
    .where('provider_id', '=', provider_id)
    .where('entry_id', 'in', ids)
    .execute()

export const removeNotices = (tx: Tx, before: number) =>
  tx.deleteFrom('log_notices').where('mailed_at', '<', before).execute()
