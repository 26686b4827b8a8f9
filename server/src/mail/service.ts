import { inboxOf, mailboxOf } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { lockName } from '../db/lock.ts'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import type { DeliverMail } from '../outbound/mail.ts'
import { type MailLine, renderMail, retryAfterMs } from './rules.ts'
import {
  countMailsSince,
  findAlertMailbox,
  giveUp,
  insertMail,
  listDueMails,
  markSent,
  readBacklog,
  takeMail,
} from './store.ts'

export type { MailLine } from './rules.ts'

interface Deps {
  database: Database
  deliver: DeliverMail
  publicUrl: string
  now: () => number
  newId: NewId
  onFailure: (id: string, error: unknown) => void
  onAbandoned: (reason: AbandonedMail) => void
}

/** Why an email is never sent: its recipient was rejected, or all attempts failed. */
export type AbandonedMail = 'rejected' | 'given_up'

export interface Mail {
  to: string
  /** Our own words only. */
  subject: string
  lines: readonly MailLine[]
  /** For emails that strangers can trigger: the limit per hour, name and inbox. The rest is held back. */
  cap?: { name: string; perHour: number }
  /** Stored without a recipient and a text, and never sent: so that timing does not reveal whether there is a recipient. */
  isHeldBack?: boolean
}

const batch = 50
/** Only the fact that it was written is kept. */
const heldBack = { recipient: '', inbox: null, body_text: '', body_html: '', due_at: null }

interface Alert extends Pick<Mail, 'subject' | 'lines' | 'cap'> {
  /** The section of the settings in which it can be undone. */
  section?: string
  /** Or the tab of the dashboard. */
  tab?: string
}

/** Emails are queued in the transaction they report on, and sent afterwards: one never happens without the other. */
export const createMailService = ({ database, deliver, publicUrl, now, newId, onFailure, onAbandoned }: Deps) => {
  const queue = async (tx: Tx, { to, subject, lines, cap, isHeldBack = false }: Mail): Promise<void> => {
    const at = now()
    const recipient = mailboxOf(to)
    const inbox = inboxOf(to)
    if (cap) await lockName(database, tx, { name: `mails ${cap.name} ${inbox}`, until: at + 3_600_000 })
    const isOverCap = cap && (await countMailsSince(tx, { inbox, cap: cap.name, since: at - 3_600_000 })) >= cap.perHour
    await insertMail(tx, {
      id: newId('mal'),
      recipient,
      inbox,
      ...renderMail({ subject, lines }, publicUrl),
      cap: cap?.name ?? null,
      attempts: 0,
      due_at: at,
      created_at: at,
      sent_at: null,
      ...((isHeldBack || isOverCap) && heldBack),
    })
  }

  return {
    queue,

    /** Emails the owner about security changes of the account. Sends nothing to an unverified mailbox, or if the owner opted out. */
    async alert(tx: Tx, provider_id: string, { subject, lines, section, tab = 'settings', cap }: Alert): Promise<void> {
      const to = await findAlertMailbox(tx, provider_id)
      if (to === undefined) return
      const address = `${publicUrl}/dashboard?tab=${tab}${section === undefined ? '' : `&section=${section}`}`
      await queue(tx, {
        to,
        subject,
        lines: [...lines, { link: address, label: tab === 'settings' ? 'Open your settings' : 'Open your dashboard' }],
        ...(cap && { cap }),
      })
    },

    /** Emails that are not sent yet, and the age of the oldest. */
    async backlog(): Promise<{ waiting: number; oldestAgeMs: number }> {
      const { waiting, oldestAt } = await readBacklog(database.read)
      return { waiting, oldestAgeMs: oldestAt === null ? 0 : Math.max(0, now() - oldestAt) }
    },

    /**
     * Sends what is due. Each attempt is recorded before it is made; after a crash in the middle it is repeated with the same Message-ID,
     * which lets receivers recognise it. The text is deleted once an email is sent or given up, because its links contain secrets.
     */
    async sendDue(signal: AbortSignal): Promise<void> {
      for (const mail of await listDueMails(database.read, { at: now(), limit: batch })) {
        if (signal.aborted || mail.due_at === null) return
        const { id, due_at } = mail
        const wait = retryAfterMs(mail.attempts)
        const next_at = wait === undefined ? null : now() + wait
        if (!(await database.transaction((tx) => takeMail(tx, { id, due_at, next_at })))) continue
        try {
          const outcome = await deliver({
            id,
            to: mail.recipient,
            subject: mail.subject,
            text: mail.body_text,
            html: mail.body_html,
          })
          await database.transaction((tx) => (outcome === 'sent' ? markSent(tx, { id, at: now() }) : giveUp(tx, id)))
          if (outcome === 'sent') continue
          onFailure(id, new Error('The mail server permanently rejected the address; the email will not be retried'))
          onAbandoned('rejected')
        } catch (error) {
          onFailure(id, error)
          if (next_at === null) onAbandoned('given_up')
        }
      }
    },
  }
}

export type MailService = ReturnType<typeof createMailService>
