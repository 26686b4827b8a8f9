import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import type { Mail, MailLine, MailService } from '../mail/service.ts'
import { listMailboxes } from './dispute-store.ts'
import { clearOf, noticeWords } from './entry-words.ts'
import { claimNotices, countEmails, listNoticed, listUnsent, type Notice, removeNotices } from './notice-store.ts'
import { readOwn } from './own-entries.ts'
import { emailsOf } from './rules.ts'
import { findEntries } from './tree-store.ts'

interface Deps {
  database: Database
  mail: Pick<MailService, 'queue' | 'alert'>
  publicUrl: string
  now: () => number
  newId: NewId
}

type Alert = Parameters<MailService['alert']>[2]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** An alert of the same act is written right after the entry. */
const sameActMs = 5_000
const batch = 100

/** Emails to the owners about entries of the log, which cannot be switched off. */
export const createNotices = ({ database, mail, publicUrl, now, newId }: Deps) => {
  const sinceHour = (provider_id: string) => ({ provider_id, since: now() - hourMs })

  const linesOf = async (tx: Tx, ids: readonly string[]): Promise<MailLine[]> => {
    const entries = (await findEntries(tx, ids)).toSorted((left, right) => (left.id < right.id ? -1 : 1))
    return entries.flatMap((row): MailLine[] => {
      const { entry, names } = readOwn(row)
      const place = row.position === null ? 'being logged' : `entry ${Number(row.position)}`
      return [
        `${noticeWords(row.type)}: ${row.type} on ${new Date(row.at).toISOString().slice(0, 16).replace('T', ' ')} UTC, ${place}`,
        { code: entry ? clearOf(entry) : row.subject },
        ...names.map(({ value }) => ({ quote: value })),
      ]
    })
  }

  const send = async (tx: Tx, notices: readonly Notice[], text?: Pick<Mail, 'subject' | 'lines'>) => {
    const [first] = notices
    if (!first) return
    const { provider_id } = first
    const ids = await claimNotices(tx, {
      provider_id,
      ids: notices.map(({ entry_id }) => entry_id),
      mail_id: newId('mal'),
      at: now(),
    })
    if (ids.length === 0) return
    const { subject, lines } = text ?? {
      subject:
        ids.length === 1 ? 'The public log has a new entry about you' : 'The public log has new entries about you',
      lines: [],
    }
    const facts = await linesOf(tx, ids)
    for (const to of await listMailboxes(tx, provider_id))
      await mail.queue(tx, {
        to,
        subject,
        lines: [
          ...lines,
          'The public log says about your company:',
          ...facts,
          'If this wasn’t you, open the entry and choose “This was not me”, or run: countersign log dispute ENTRY',
          { link: `${publicUrl}/dashboard?tab=log`, label: 'See what the log says about you' },
          'Owners always get these emails.',
        ],
      })
  }

  return {
    /** Emails an alert. If its act was logged a moment ago, the same email says what the log says. */
    async alert(tx: Tx, provider_id: string, alert: Alert): Promise<void> {
      const unsent = await listUnsent(tx, provider_id)
      const fresh = unsent.filter(({ at, type }) => type.startsWith('domain.') && at >= now() - sameActMs)
      if (fresh.length === 0) return mail.alert(tx, provider_id, alert)
      // The next digest has it.
      const { canSend } = emailsOf(unsent, { sent: await countEmails(tx, sinceHour(provider_id)), now: now() })
      if (canSend) await send(tx, fresh, alert)
    },

    async sendDue(signal: AbortSignal): Promise<void> {
      await database.transaction((tx) => removeNotices(tx, now() - dayMs))
      for (let after = ''; !signal.aborted; ) {
        const providers = await listNoticed(database.read, { after, limit: batch })
        for (const provider_id of providers)
          await database.transaction(async (tx) => {
            const unsent = await listUnsent(tx, provider_id)
            const sent = await countEmails(tx, sinceHour(provider_id))
            for (const notices of emailsOf(unsent, { sent, now: now() }).emails) await send(tx, notices)
          })
        const last = providers.at(-1)
        if (last === undefined) return
        after = last
      }
    },
  }
}
