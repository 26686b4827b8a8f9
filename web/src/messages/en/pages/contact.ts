/** `/contact` */
export const contact = {
  title: 'Contact us',
  heading: 'Contact us',
  intro: 'This opens your email program with the message. This page itself sends nothing.',
  fields: { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' },
  problems: {
    name: 'Enter your name.',
    email: 'Enter your email address so that we can reply.',
    emailForm: 'This is not an email address.',
    subject: 'Enter a subject.',
    message: 'Enter a message.',
  },
  submit: 'Open in email program',
  opened: (address: string) => `Your email program should be open now. If it isn’t, write to ${address}.`,
  direct: (address: string) => `Or write to ${address}.`,
  body: (name: string, email: string, message: string) => `${message}\n\nName: ${name}\nEmail: ${email}`,
  incidents:
    'To report a model, use “Report an Issue” on its page or on the page of its link: its provider reads the report. To report a provider that impersonates another, write to us here.',
} as const
