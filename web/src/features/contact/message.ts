import { contact } from '#messages/pages/contact.ts'

const words = contact

export const names = ['name', 'email', 'subject', 'message'] as const
export type Message = Record<(typeof names)[number], string>
export type Problems = Partial<Message>

/** What is missing from the message; undefined if complete. */
export const findProblems = (message: Message): Problems => {
  const problems: Problems = {}
  for (const name of names) if (message[name] === '') problems[name] = words.problems[name]
  if (message.email !== '' && !/^[^\s@]+@[^\s@]+$/.test(message.email)) problems.email = words.problems.emailForm
  return problems
}

/** RFC 6068: encode everything and end lines with CRLF, so that input can't add recipients or headers. */
export const mailtoOf = (address: string, { name, email, subject, message }: Message): string => {
  const body = words.body(name, email, message).replace(/\r?\n/g, '\r\n')
  const to = encodeURIComponent(address).replace('%40', '@')
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}
