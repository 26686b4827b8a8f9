import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  /** The first link and the first code in the text. */
  link: string | undefined
  code: string | undefined
}

const decodeQuoted = (body: string) =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const decoders: Readonly<Record<string, (body: string) => string>> = {
  '7bit': (body) => body,
  '8bit': (body) => body,
  'quoted-printable': decodeQuoted,
  base64: (body) => Buffer.from(body, 'base64').toString(),
}

const splitHead = (message: string) => {
  const [head = '', ...rest] = message.split(/\r?\n\r?\n/)
  const fields = head.replace(/\r?\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(fields)?.[1] ?? ''
  return { field, body: rest.join('\n\n') }
}

/** A message as sent or written (RFC 5322, RFC 2045), with a text part and an HTML part. */
export const readMessage = (raw: string): { mail: ReceivedMail; field: (name: string) => string } => {
  const { field, body } = splitHead(raw)
  const boundary = /boundary="([^"]+)"/.exec(field('Content-Type'))?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => splitHead(part.replace(/^\r?\n/, '')))
  const partOf = (type: string) => {
    const part = parts.find((one) => one.field('Content-Type').startsWith(type))
    const decode = decoders[part?.field('Content-Transfer-Encoding') ?? '']
    return part && decode ? decode(part.body).replaceAll('\r\n', '\n') : ''
  }
  const text = partOf('text/plain')
  const mail = {
    to: field('To'),
    subject: field('Subject'),
    text,
    html: partOf('text/html'),
    link: /^https?:\/\/\S+$/m.exec(text)?.[0],
    code: /^ {4}(\S+)$/m.exec(text)?.[1],
  }
  return { mail, field }
}

/** Emails already read from the last outbox: tests read it again for each email that they wait for. */
let known = { outbox: '', mails: new Map<string, ReceivedMail>() }

/** The emails in a registry's outbox, for an address or for anyone; newest last. */
export const readOutbox = async (dataDir: string, to?: string): Promise<ReceivedMail[]> => {
  const outbox = join(dataDir, 'outbox')
  if (known.outbox !== outbox) known = { outbox, mails: new Map() }
  const { mails: read } = known
  const readAt = async (file: string) => {
    const raw = await readFile(join(outbox, file), 'utf8')
    const { mail } = readMessage(raw)
    // Another process may still be writing it.
    if (raw.trimEnd().endsWith('--')) read.set(file, mail)
    return mail
  }
  const files = (await readdir(outbox).catch(() => [])).sort()
  const mails = await Promise.all(files.map((file) => read.get(file) ?? readAt(file)))
  return mails.filter((mail) => to === undefined || mail.to === to.toLowerCase())
}
