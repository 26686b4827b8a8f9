import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import type { Mail, MailLine, MailService } from '../mail/service.ts'
import { listMailboxes } from './dispute-store.ts'
import { clearOf, nameLine, noticeWords } from './entry-words.ts'
import { listOwners } from './feed-store.ts'
import { takeFindsIn, textOf } from './near.ts'
import type { FoundRow } from './near-store.ts'
import {
  claimNotices,
  countEmails,
  listNoticed,
  listUnsent,
  markEmailed,
  type Notice,
  nearNotice,
  noticeKinds,
  removeNotices,
} from './notice-store.ts'
import { readOwn, withFitIssuer } from './own-entries.ts'
import { emailsOf } from './rules.ts'
import { findEntries } from './tree-store.ts'

interface Deps {
  database: Database
  mail: Pick<MailService, 'queue' | 'alert'>
  publicUrl: string
  now: () => number
  newId: NewId
}

type Text = Pick<Mail, 'subject' | 'lines'>
type Alert = Parameters<MailService['alert']>[2]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** An alert of the same act is written right after the entry. */
const sameActMs = 5_000
const batch = 100

const timeShown = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const nearFields = {
  domain: 'A domain',
  company_name: 'A company’s name',
  identifier: 'A model’s identifier',
  display_name: 'A model’s name',
} as const satisfies Record<FoundRow['field'], string>

const nearWords = {
  same: 'is the same as, or below,',
  other_ending: 'has a different ending from',
  lookalike: 'looks like',
  typo: 'is one or two letters away from',
  added_words: 'contains',
} as const satisfies Record<FoundRow['near'], string>

const ownSubject = (count: number) =>
  count === 1 ? 'The public log has a new entry about you' : 'The public log has new entries about you'

const nearSubject = (count: number) =>
  count === 1 ? 'A name near yours is in the public log' : 'Names near yours are in the public log'

/** Emails to the owners about entries of the log, which cannot be switched off. */
export const createNotices = ({ database, mail, publicUrl, now, newId }: Deps) => {
  const linesOf = async (tx: Tx, provider_id: string, ids: readonly string[]): Promise<MailLine[]> => {
    const owner = (await listOwners(tx, [provider_id], now())).get(provider_id)
    const entries = (await findEntries(tx, ids)).toSorted((left, right) => (left.id < right.id ? -1 : 1))
    return entries.flatMap((row): MailLine[] => {
      const { entry, names } = readOwn(row)
      const clear = entry ? clearOf(withFitIssuer(entry, owner)) : row.subject
      const place = row.position === null ? 'being logged' : `entry ${Number(row.position)}`
      return [
        `${noticeWords(row.type)}: ${row.type} on ${timeShown(row.at)}, ${place}`,
        { domain: clear },
        ...names.map((name) => nameLine(row.type, name)),
      ]
    })
  }

  /** Text by other people, which must not become a link in our email. */
  const shownName = (row: FoundRow): MailLine => {
    const text = textOf(row)
    if (text === null) return 'A name that was erased'
    return row.field === 'domain' ? { domain: text } : { quote: text }
  }

  /** Nothing if the company no longer has what the names were near, or the other no longer has the names. */
  const nearTextOf = async (tx: Tx, provider_id: string, ids: readonly string[]): Promise<Text | undefined> => {
    const found = await takeFindsIn(tx, provider_id, ids)
    if (found.length === 0) return undefined
    return {
      subject: nearSubject(found.length),
      lines: [
        'The public log has names of another company near yours:',
        ...found.flatMap((row): MailLine[] => [
          `${nearFields[row.field]} (entry ${Number(row.position)}, ${timeShown(row.at)}):`,
          shownName(row),
          `It ${nearWords[row.near]} this name of your account:`,
          /^[a-z0-9.-]+\.[a-z0-9-]+$/.test(row.own) ? { domain: row.own } : { quote: row.own },
          { link: `${publicUrl}/providers/${row.other}`, label: 'See the company' },
        ]),
        'If it pretends to be you, report its models on their pages. Your own account is unchanged.',
      ],
    }
  }

  const ownTextOf = async (tx: Tx, provider_id: string, ids: readonly string[]): Promise<Text> => ({
    subject: ownSubject(ids.length),
    lines: [
      'The public log says about your company:',
      ...(await linesOf(tx, provider_id, ids)),
      'If this wasn’t you, open the entry and choose “This was not me”, or run: countersign log dispute ENTRY',
    ],
  })

  const emailsDue = async (tx: Tx, provider_id: string, kind: (typeof noticeKinds)[number]) => {
    const unsent = await listUnsent(tx, { provider_id, kind })
    const sent = await countEmails(tx, { provider_id, kind, since: now() - hourMs })
    return { unsent, ...emailsOf(unsent, { sent, now: now() }) }
  }

  /** Sends one email about notices of one kind. False if nothing is left to say, the owners have no mailbox, or another process sends it. */
  const send = async (tx: Tx, notices: readonly Notice[], alert?: Text): Promise<boolean> => {
    const [first] = notices
    if (!first) return false
    const { provider_id } = first
    const ids = await claimNotices(tx, { provider_id, ids: notices.map(({ entry_id }) => entry_id), at: now() })
    if (ids.length === 0) return false
    const text = await (first.type === nearNotice ? nearTextOf : ownTextOf)(tx, provider_id, ids)
    if (text === undefined) return false
    const mailboxes = await listMailboxes(tx, provider_id)
    if (mailboxes.length === 0) return false
    await markEmailed(tx, { provider_id, ids, mail_id: newId('mal') })
    for (const to of mailboxes)
      await mail.queue(tx, {
        to,
        subject: alert?.subject ?? text.subject,
        lines: [
          ...(alert?.lines ?? []),
          ...text.lines,
          { link: `${publicUrl}/dashboard?tab=log`, label: 'See what the log says about you' },
          'Owners always get these emails.',
        ],
      })
    return true
  }

  return {
    /** Emails an alert, always. If its act was logged a moment ago, the same email says what the log says. */
    async alert(tx: Tx, provider_id: string, alert: Alert): Promise<void> {
      const { unsent, canSend } = await emailsDue(tx, provider_id, 'own')
      const fresh = unsent.filter(({ at, type }) => type.startsWith('domain.') && at >= now() - sameActMs)
      // After too many emails the next digest has the entries, but not the alert.
      if (!canSend || !(await send(tx, fresh, alert))) await mail.alert(tx, provider_id, alert)
    },

    async sendDue(signal: AbortSignal): Promise<void> {
      await database.transaction((tx) => removeNotices(tx, now() - dayMs))
      for (let after = ''; !signal.aborted; ) {
        const providers = await listNoticed(database.read, { after, limit: batch })
        for (const provider_id of providers)
          await database.transaction(async (tx) => {
            for (const kind of noticeKinds)
              for (const notices of (await emailsDue(tx, provider_id, kind)).emails) await send(tx, notices)
          })
        const last = providers.at(-1)
        if (last === undefined) return
        after = last
      }
    },
  }
}
