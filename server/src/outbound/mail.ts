import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface OutgoingMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** `refused`: the address is permanently rejected. Throws if another attempt may help. */
export type DeliverMail = (mail: OutgoingMail) => Promise<'sent' | 'refused'>

interface Deps {
  /** `smtp://` or `smtps://`. Without one, emails are written to `outbox`. */
  smtpUrl: string | null
  outbox: string
  from: string
  /** Host of the registry; the right side of a Message-ID. */
  host: string
  /** Called when an email was written to the outbox, with the first address in it. */
  onWritten: (written: { file: string; link: string | undefined }) => void
}

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const closed = { disableFileAccess: true, disableUrlAccess: true }

/** Sends by SMTP if a server is set. Otherwise writes each email as a file, so that every flow can be completed without one. */
export const createDeliverMail = ({ smtpUrl, outbox, from, host, onWritten }: Deps): DeliverMail => {
  const messageOf = ({ id, to, subject, text, html }: OutgoingMail) => ({
    from,
    // As an object, it is never parsed into several addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...closed,
  })
  if (smtpUrl !== null) {
    const transport = createTransport(smtpUrl, { ...limits, ...closed })
    return (mail) => transport.sendMail(messageOf(mail)).then(() => 'sent', classifyFailure)
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (mail) => {
    const { message } = await transport.sendMail(messageOf(mail))
    await mkdir(outbox, { recursive: true, mode: 0o700 })
    const file = join(outbox, `${mail.id}.eml`)
    await writeFile(file, withWholeLines((message as Buffer).toString('latin1')), { mode: 0o600 })
    onWritten({ file, link: /https?:\/\/\S+/.exec(mail.text)?.[0] })
    return 'sent'
  }
}

/** Quoted-printable cuts lines at 76 characters, also links. These files are read by people, so their text is kept as it is (RFC 6152). */
const withWholeLines = (message: string): Buffer =>
  Buffer.from(
    message.replace(
      /(Content-Transfer-Encoding: )quoted-printable(\n\n)([\s\S]*?)(?=\n----_NmP)/g,
      (_, name: string, gap: string, body: string) => `${name}8bit${gap}${decodeQuoted(body)}`,
    ),
    'latin1',
  )

const decodeQuoted = (body: string) =>
  body.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Connects and signs in, and sends nothing. Rejects if the server does not accept that. */
export const checkMailServer = async (smtpUrl: string): Promise<void> => {
  const transport = createTransport(smtpUrl, { ...limits, ...closed })
  await transport.verify().finally(() => transport.close())
}

/** Deletes emails in an outbox that are older than the given time; other files stay. */
export const removeOldMails = async (outbox: string, before: number): Promise<void> => {
  const names = await readdir(outbox).catch(() => [])
  for (const name of names.filter((one) => /^mal_\w+\.eml$/.test(one))) {
    const file = join(outbox, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < before) await rm(file, { force: true })
  }
}

/**
 * RFC 5321 §4.2.1: 5yz is permanent, and we believe the server if it is about the recipient. The server's words stay out of the log,
 * because they contain the address.
 */
const classifyFailure = (error: unknown): 'refused' => {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  if (code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500) return 'refused'
  throw new Error(`The mail server did not accept it: ${[code, command, responseCode].filter(Boolean).join(' ')}`)
}
