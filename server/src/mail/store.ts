import type { Insertable, Selectable } from 'kysely'
import type { Db, MailTable, Tx } from '../db/schema.ts'

export type MailRow = Selectable<MailTable>

export const insertMail = (tx: Tx, mail: Insertable<MailTable>) => tx.insertInto('mails').values(mail).execute()

/** Where to send security alerts; undefined if the mailbox is unverified or the owner opted out. */
export const findAlertMailbox = async (db: Db, provider_id: string) => {
  const row = await db
    .selectFrom('providers')
    .select('email')
    .where('id', '=', provider_id)
    .where('email_verified_at', 'is not', null)
    .where('notify_security', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.email ?? undefined
}

export const countMailsSince = async (tx: Tx, { inbox, cap, since }: { inbox: string; cap: string; since: number }) => {
  const { count } = await tx
    .selectFrom('mails')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('inbox', '=', inbox)
    .where('created_at', '>', since)
    .where('cap', '=', cap)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const listDueMails = (db: Db, { at, limit }: { at: number; limit: number }): Promise<MailRow[]> =>
  db.selectFrom('mails').selectAll().where('due_at', '<=', at).orderBy('due_at').limit(limit).execute()

export const readBacklog = async (db: Db) => {
  const { waiting, oldest_at } = await db
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest_at')])
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { waiting: Number(waiting), oldestAt: oldest_at }
}

const noText = { body_text: '', body_html: '' }

/** Claims an email for one attempt, the last one if there is no next. Undefined if another process claimed it first. */
export const takeMail = (tx: Tx, { id, due_at, next_at }: { id: string; due_at: number; next_at: number | null }) =>
  tx
    .updateTable('mails')
    .set((row) => ({ due_at: next_at, attempts: row('attempts', '+', 1), ...(next_at === null && noText) }))
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .returning('id')
    .executeTakeFirst()

export const markSent = (tx: Tx, { id, at }: { id: string; at: number }) =>
  tx
    .updateTable('mails')
    .set({ sent_at: at, due_at: null, ...noText })
    .where('id', '=', id)
    .execute()

export const giveUp = (tx: Tx, id: string) =>
  tx
    .updateTable('mails')
    .set({ due_at: null, ...noText })
    .where('id', '=', id)
    .execute()
