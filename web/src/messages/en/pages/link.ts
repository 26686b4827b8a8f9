import { type FailureState, type LinkState, linkWords } from '@countersign/sdk/words'

const expiredOrInvalid =
  'This verification link has expired or is invalid. Verification links are valid for 15 minutes.'

/** The link page, `/v/:token`. */
export const link = {
  ...linkWords,
  loading: 'Verifying your AI model interaction...',
  loadingTitle: 'Checking a verification link',
  titles: {
    verified: 'Verified AI model',
    provider_only: 'Company confirmed, AI not confirmed',
    provider_unverified: 'Company not confirmed',
    domain_stale: 'Company not confirmed now',
    check_failed: 'A check failed',
    expired: 'This link has expired',
    revoked: 'Link no longer valid',
    archived: 'Link no longer valid',
    gone: 'Link no longer valid',
    mistyped: 'Mistyped link',
    malformed: 'Not a verification link',
    not_found: 'Unknown link',
    forged: 'Forged link',
    foreign: 'Link from another registry',
    refused: 'Verification failed',
    could_not_check: 'Could not check',
  } satisfies Record<LinkState, string>,

  timer: {
    fiveMinutes: 'This link expires in 5 minutes.',
    oneMinute: 'This link expires in 1 minute.',
  },

  chat: {
    ...linkWords.chat,
    uncheckedProvider: 'The provider, which was not confirmed,',
  },

  actions: {
    copyShort: 'Copy link',
    report: 'Report',
    copy: 'Copy Verification URL',
    copied: 'Verification URL copied to clipboard',
    share: 'Share',
    qr: 'QR code',
    print: 'Print',
    model: 'View Model Details',
    learn: 'Learn More',
    home: 'Return to Homepage',
    again: 'Try again',
    asking: 'Checking…',
  },
  qr: {
    heading: 'Open this link on another device',
    text: 'Point the other device’s camera at the code. The link expires at the same time there.',
    alt: 'QR code of the verification link',
  },
  print: {
    head: (host: string) => `Countersign, ${host}`,
    paper: (time: string) => `This is a copy. It proves nothing after ${time}. Open the link itself.`,
    url: 'Verification URL',
    issued: 'Requested',
    expires: 'Expires',
    digest: 'Stated digest',
    none: 'none',
  },

  failure: {
    ...linkWords.failure,
    opened: 'You opened',
    reasonsHeading: 'Common reasons',
    reasons: [
      'The link expired. Links work for 15 minutes.',
      'The link was modified or corrupted when it was copied.',
      'The model is not registered here.',
      'Network issues.',
    ],
    seeds: {
      expired: expiredOrInvalid,
      revoked: expiredOrInvalid,
      archived: expiredOrInvalid,
      gone: 'The model or provider associated with this verification no longer exists.',
      mistyped: expiredOrInvalid,
      malformed: expiredOrInvalid,
      not_found: expiredOrInvalid,
      forged: expiredOrInvalid,
      foreign: expiredOrInvalid,
      refused: 'Verification failed. Token may be invalid or expired.',
      could_not_check: 'Unable to verify this link. Please try again or contact support.',
    } satisfies Record<FailureState, string>,
  },
} as const

export const linkBox = {
  label: 'Link or code from your chat',
  hint: (host: string) => `Such as ${host}/v/ and 16 letters and digits. Capitals, spaces and hyphens don’t matter.`,
  submit: 'Check',
  empty: 'Paste the link, or type the code that the AI gave you.',
  mistyped: 'This code is mistyped: a letter or digit is wrong, missing or swapped. Compare it with your chat.',
  malformed: 'This is not a verification link. Paste the whole link, or its code of 16 letters and digits.',
  foreign: (host: string, own: string) =>
    `This link belongs to ${host}, not to this registry (${own}). We cannot check it and will not open it.`,
} as const

export const codePage = {
  title: 'Check a link',
  heading: 'Check a link or code',
  missing: 'No verification token provided.',
  text: 'Paste the link that the AI gave you, or type its code.',
} as const
