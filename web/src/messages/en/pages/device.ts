import { quote } from '@countersign/sdk/words'

/** The page on which a person signs a terminal in. */
export const device = {
  title: 'Sign in a device',
  intro: 'For a program on a machine without a browser, such as the command line.',
  code: 'Code from your terminal',
  codeHint: 'Such as 7GQ4K-M2PXD. It is valid for 10 minutes.',
  next: 'Continue',
  searching: 'Searching…',
  failed: 'The device could not be found',
  unknown: 'No device shows this code. It may be mistyped, expired or already answered.',
  heading: 'Sign in this device?',
  compare: 'Your terminal must show exactly this code:',
  name: 'It calls itself',
  address: 'Its network address',
  same: 'the network of this browser',
  other: 'not the network of this browser',
  program: 'It says its program is',
  asked: 'Asked',
  company: 'Acts for',
  may: 'It may do what your role allows, for 7 days at most. Changes that need your passkey wait until you approve them in a browser.',
  warning: 'Approve only if you have just started this yourself. Deny it if someone sent you this page or the code.',
  approve: 'Approve',
  approving: 'Approving…',
  deny: 'Deny',
  approved: 'The device is signed in',
  approvedText: (name: string) =>
    `${quote(name)} continues within a few seconds. You can close this page. To sign it out, end its session in your settings.`,
  denied: 'The device was denied',
  deniedText: 'It gets no access. If you did not start this, someone may have tried to get into your account.',
  sessions: 'See your sessions',
  notDone: 'This did not work',
}
