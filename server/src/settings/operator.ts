import { optional, setting } from './setting.ts'

const emailAddress = /^[^\s@<>"]+@[^\s@<>"]+$/

/** Email, and how to reach the operator. */
export const operator = {
  SMTP_URL: setting({
    expected: 'smtp://host:port or smtps://user:password@host',
    means:
      'Server for outgoing email. Default: each email is written to DATA_DIR/outbox and, while PUBLIC_URL is a loopback address, its link to the log',
    default: '',
    parse: optional((text) => (/^smtps?:\/\/.+/.test(text) && URL.canParse(text) ? text : undefined)),
    isSecret: true,
  }),
  MAIL_FROM: setting({
    expected: 'an address such as Countersign <no-reply@registry.example>',
    means: 'Sender of emails. Default: no-reply at the host of PUBLIC_URL',
    default: '',
    parse: optional((text) => (/^[^\r\n]*@[^\r\n]+$/.test(text) ? text : undefined)),
  }),
  CONTACT_EMAIL: setting({
    expected: 'an email address',
    means: "Contact address of the operator; shown on the registry's pages. Default: contact at the host of PUBLIC_URL",
    default: '',
    parse: optional((text) => (emailAddress.test(text) ? text : undefined)),
  }),
  SECURITY_CONTACT: setting({
    expected: 'an email address or an https address',
    means: 'Where to report vulnerabilities, in /.well-known/security.txt. Default: CONTACT_EMAIL',
    default: '',
    parse: optional((text) =>
      emailAddress.test(text)
        ? `mailto:${text}`
        : /^https:\/\/\S+$/.test(text) && URL.canParse(text)
          ? text
          : undefined,
    ),
  }),
  SECURITY_POLICY: setting({
    expected: 'an https address',
    means: 'Page with your rules for reporting vulnerabilities, in /.well-known/security.txt. Default: no such line',
    default: '',
    parse: optional((text) => (/^https:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined)),
  }),
  REPOSITORY_URL: setting({
    expected: 'an https address',
    means: 'Repository of the SDK and its examples; the pages link to it and to its issues. Default: no such links',
    default: '',
    parse: optional((text) =>
      /^https:\/\/\S+$/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined,
    ),
  }),
} as const
