import { mailboxOf } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import type { DeliverMail } from '../outbound/mail.ts'
import { type MailLine, renderMail, retryAfterMs } from './rules.ts'
import { countMailsSince, findAlertMailbox, giveUp, insertMail, listDueMails, markSent, takeMail } from './store.ts'

export type { MailLine } from './rules.ts'

interface Needs {
  database: Database
  deliver: DeliverMail
  publicUrl: string
  now: () => number
  newId: NewId
  onFailure: (id: string, error: unknown) => void
}

export interface Mail {
  to: string
  /** Our own words only. */
  subject: string
  lines: readonly MailLine[]
  /** Where strangers can cause the mail: so many of this name to one address in an hour. More are held back. */
  cap?: { name: string; perHour: number }
  /** Kept without a recipient and a text, and never sent: where the time must not tell whether there is somebody to write to. */
  isHeldBack?: boolean
}

const batch = 50
/** Nothing of it is left but that it was written. */
const heldBack = { recipient: '', body_text: '', body_html: '', due_at: null }

interface Alert extends Pick<Mail, 'subject' | 'lines' | 'cap'> {
  /** Where in the settings it can be undone. */
  section?: string
}

/** Mails are written in the transaction of what they tell of, and leave afterwards: neither goes without the other. */
export const createMailService = ({ database, deliver, publicUrl, now, newId, onFailure }: Needs) => {
  const queue = async (tx: Tx, { to, subject, lines, cap, isHeldBack = false }: Mail): Promise<void> => {
    const at = now()
    const recipient = mailboxOf(to)
    const isOverCap = cap && (await countMailsSince(tx, { recipient, cap: cap.name, since: at - 3_600_000 })) >= cap.perHour
    await insertMail(tx, {
      id: newId('mal'),
      recipient,
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

    /** Tells the owner what touches the safety of the account. Nobody is written to who has not shown the mailbox or asked not to be. */
    async alert(tx: Tx, provider_id: string, { subject, lines, section, cap }: Alert): Promise<void> {
      const to = await findAlertMailbox(tx, provider_id)
      if (to === undefined) return
      const address = `${publicUrl}/dashboard?tab=settings${section === undefined ? '' : `&section=${section}`}`
      await queue(tx, { to, subject, lines: [...lines, { link: address, label: 'Open your settings' }], ...(cap && { cap }) })
    },

    /**
     * Sends what is due. Each attempt is noted before it is made; a process that dies in the middle of one makes it again
     * with the same Message-ID, by which receivers know it. What is sent or given up keeps no text: its links open things.
     */
    async sendDue(signal: AbortSignal): Promise<void> {
      for (const mail of await listDueMails(database.read, { at: now(), limit: batch })) {
        if (signal.aborted || mail.due_at === null) return
        const { id, due_at } = mail
        const wait = retryAfterMs(mail.attempts)
        const next_at = wait === undefined ? null : now() + wait
        if (!(await database.transaction((tx) => takeMail(tx, { id, due_at, next_at })))) continue
        try {
          const outcome = await deliver({ id, to: mail.recipient, subject: mail.subject, text: mail.body_text, html: mail.body_html })
          await database.transaction((tx) => (outcome === 'sent' ? markSent(tx, { id, at: now() }) : giveUp(tx, id)))
          if (outcome === 'refused') onFailure(id, new Error('The mail server refuses the address for good; it is not tried again'))
        } catch (error) {
          onFailure(id, error)
        }
      }
    },
  }
}

export type MailService = ReturnType<typeof createMailService>
