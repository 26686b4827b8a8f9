import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

export interface OutgoingMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** `refused`: the recipient is permanently rejected. Throws if another attempt may help. */
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
    const server = new URL(smtpUrl).host
    return (mail) =>
      transport.sendMail(messageOf(mail)).then(
        () => 'sent',
        (error) => classifyFailure(error, server),
      )
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

export const defaultMailFrom = (host: string) => `Countersign <no-reply@${host}>`

/** Connects, signs in and names the sender, and sends nothing. Rejects if the server does not accept that. */
export const checkMailServer = async ({ smtpUrl, from }: { smtpUrl: string; from: string }): Promise<void> => {
  const [sender] = addressparser(from, { flatten: true })
  const address = sender?.address ?? ''
  const { auth, ...options } = parseConnectionUrl(smtpUrl)
  const connection = new SMTPConnection({
    ...options,
    ...limits,
    // Nodemailer sends single commands only for this.
    customAuth: {
      'MAIL FROM': async ({ sendCommand }) => {
        const { status, response } = await sendCommand(`MAIL FROM:<${address}>`)
        if (status >= 400) throw new Error(`The mail server rejects the sender ${address}: ${response}`)
      },
    },
  })
  const failed = new Promise<never>((_resolve, reject) => connection.on('error', reject))
  failed.catch(() => {})
  const step = (start: (done: (error?: unknown) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve()))),
    ])
  try {
    await step((done) => connection.connect(done))
    if (auth) await step((done) => connection.login(auth, done))
    await step((done) => connection.login({ method: 'MAIL FROM' }, done))
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
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

/** RFC 3463: the sender (5.1.7, 5.1.8) or a policy such as the relay's (5.7). Many servers reject a sender only at RCPT TO. */
const isAboutUs = /^\d{3}[ -]5\.(1\.[78]|7\.\d{1,3})\b/

interface Failure {
  code?: string
  command?: string
  response?: string
  responseCode?: number
  message?: string
}

/**
 * RFC 5321 §4.2.1: 5yz is permanent, and we believe the server if it is about the recipient. Whatever the operator can correct is tried
 * again. The server's words stay out of the log, because they contain the address.
 */
const classifyFailure = (error: Failure, server: string): 'refused' => {
  const { code, command, response = '', responseCode, message = '' } = error
  if (command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 && !isAboutUs.test(response))
    return 'refused'
  if (command === 'CONN' && responseCode === undefined)
    throw new Error(`The mail server ${server} cannot be reached: ${message}`)
  throw new Error(
    `The mail server ${server} did not accept it: ${[code, command, responseCode].filter(Boolean).join(' ')}`,
  )
}
