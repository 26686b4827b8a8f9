/** The page for people who lost their passkeys and recovery codes. */
export const recover = {
  title: 'Recover your account',
  about:
    'For people who lost their passkeys and recovery codes. If you only forgot your password, sign in with a passkey, or ask for a new password.',
  email: 'Email',
  send: 'Email me a link',
  sending: 'Sending…',
  sentTo: (email: string) =>
    `If ${email} has an account, an email is on its way. Its link shows what to do. It can take a few minutes.`,
  start: {
    text: 'This removes your passkeys and recovery codes and ends your sessions. You then sign in with your password, or choose a new one, and add a passkey. All owners of your companies are emailed, and each of them can cancel it.',
    ways: 'It takes effect once each of your companies has confirmed it, through another owner or a DNS record at its primary domain. With the emailed link and a recovery code it takes effect at once, with the link alone after seven days.',
    code: 'Recovery code',
    codeHint: 'Optional: with one of your codes, it takes effect at once.',
    codeFailed: 'This code is wrong or was used before. After five wrong codes, ask for a new link.',
    button: 'Start the recovery',
    doing: 'Starting…',
  },
  invalid: 'This link is no longer valid: the recovery was done or cancelled, or the link is old. Ask for a new one.',
  again: 'Ask for a new link',
  waiting: {
    by: (time: string) => `If no one cancels it, your passkeys are removed at ${time}.`,
    never: 'It takes effect once each of your companies has confirmed it. Otherwise it is cancelled after seven days.',
    sooner: 'How to confirm it',
    owner:
      'Another owner opens Settings, Changes in the console, checks that it is you, and approves it with a passkey.',
    record: (domain: string) => `Or publish this DNS record at ${domain}, then check it:`,
    recordName: 'Name of the TXT record',
    recordValue: 'Value of the TXT record',
    noDomain: 'One of your companies has no proven domain: only another owner can confirm it there.',
    check: 'Check the DNS records',
    checking: 'Checking…',
    notYet: 'Not found yet. DNS changes can take an hour to be visible everywhere.',
  },
  done: 'Your passkeys were removed',
  next: 'Sign in with your password, or choose a new one. Then add a passkey under Settings, Security.',
  signIn: 'Sign in',
  running: {
    text: (time: string) =>
      `Someone with access to your mailbox asked to remove your passkeys. They are removed at ${time}.`,
    confirmed:
      'Someone signed in to your account asked to remove your passkeys. They are removed once each of your companies has confirmed it.',
    cancel: 'Cancel the recovery',
    cancelled: 'Your passkeys stay',
    failed: 'The recovery could not be cancelled',
  },
  lost: 'Lost your passkeys and codes?',
}
