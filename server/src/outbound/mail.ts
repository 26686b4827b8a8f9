import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface OutgoingMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
}

export type DeliverMail = (mail: OutgoingMail) => Promise<void>

interface Needs {
  /** `smtp://` or `smtps://`. Without one, mails are written to `outbox`. */
  smtpUrl: string | null
  outbox: string
  from: string
  /** Of the registry; the right side of a Message-ID. */
  host: string
  /** Told of a mail that was written to the outbox, with the first address in it. */
  onWritten: (written: { file: string; link: string | undefined }) => void
}

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const closed = { disableFileAccess: true, disableUrlAccess: true }

/** Sends by SMTP where there is a server. Otherwise writes each mail as a file, so that every flow can be finished without one. */
export const createDeliverMail = ({ smtpUrl, outbox, from, host, onWritten }: Needs): DeliverMail => {
  const messageOf = ({ id, to, subject, text, html }: OutgoingMail) => ({
    from,
    to,
    subject,
    text,
    html,
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...closed,
  })
  if (smtpUrl !== null) {
    const transport = createTransport(smtpUrl, { ...limits, ...closed })
    return async (mail) => {
      await transport.sendMail(messageOf(mail))
    }
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (mail) => {
    const { message } = await transport.sendMail(messageOf(mail))
    await mkdir(outbox, { recursive: true, mode: 0o700 })
    const file = join(outbox, `${mail.id}.eml`)
    await writeFile(file, message as Buffer, { mode: 0o600 })
    onWritten({ file, link: /https?:\/\/\S+/.exec(mail.text)?.[0] })
  }
}
