/** Writing to whoever runs the registry. */
export const contact = {
  title: 'Contact us',
  heading: 'Contact us',
  intro: 'Your mail program opens with the message. Nothing you type here is sent by this page.',
  fields: { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' },
  problems: {
    name: 'Say what we may call you.',
    email: 'An e-mail address is needed for the answer.',
    emailForm: 'This is not an e-mail address.',
    subject: 'Say what it is about.',
    message: 'Write your message.',
  },
  submit: 'Open in mail program',
  opened: (address: string) => `Your mail program should be open now. If it is not, write to ${address}.`,
  direct: (address: string) => `Or write to ${address}.`,
  body: (name: string, email: string, message: string) => `${message}\n\nName: ${name}\nEmail: ${email}`,
  incidents:
    'To report a model, use “Report an Issue” on its page or on the page of its link: its provider reads that. Of a provider that pretends to be another, tell us here.',
} as const
