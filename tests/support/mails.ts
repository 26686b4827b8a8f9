import type { Database } from '../../server/src/db/engine.ts'

/** What the registry sent to an address, or to anyone, oldest first. `link` and `code` are the first of each in the text. */
export const readMails = async (database: Database, to?: string) => {
  const rows = await database.read.selectFrom('mails').selectAll().where('sent_at', 'is not', null).orderBy('id').execute()
  return rows
    .filter(({ recipient }) => to === undefined || recipient === to.toLowerCase())
    .map(({ recipient, subject, body_text, body_html }) => ({
      to: recipient,
      subject,
      text: body_text,
      html: body_html,
      link: /^https?:\/\/\S+$/m.exec(body_text)?.[0],
      code: /^ {4}(\S+)$/m.exec(body_text)?.[1],
    }))
}
