import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { type ReceivedMail, readMessage } from './mails.ts'

export interface DeliveredMail extends ReceivedMail {
  /** The envelope's addresses. */
  recipients: string[]
  messageId: string
  field: (name: string) => string
}

export type SmtpReply = { code: number; at: 'sender' | 'recipient' | 'message'; words?: string } | undefined

const refusal = ({ code, words = `Not now, said the server of ${code}` }: { code: number; words?: string }) =>
  Object.assign(new Error(words), { responseCode: code })

/** A real SMTP server on loopback. It accepts everything, or answers as a test configures. */
export const startSmtpServer = async () => {
  const mails: DeliveredMail[] = []
  const state: { reply: SmtpReply; attempts: number } = { reply: undefined, attempts: 0 }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, callback) => {
      if (state.reply?.at === 'sender') state.attempts++
      callback(state.reply?.at === 'sender' ? refusal(state.reply) : null)
    },
    onRcptTo: (_address, _session, callback) => {
      state.attempts++
      callback(state.reply?.at === 'recipient' ? refusal(state.reply) : null)
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mail, field } = readMessage(Buffer.concat(chunks).toString())
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ ...mail, recipients, messageId: field('Message-ID'), field })
        callback(state.reply?.at === 'message' ? refusal(state.reply) : null)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** How often a recipient was named, or a sender rejected. */
    attempts: () => state.attempts,
    /** The answer from now on; undefined to accept everything. */
    answer: (reply?: SmtpReply) => {
      state.reply = reply
    },
  }
}
