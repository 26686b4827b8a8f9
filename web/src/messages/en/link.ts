import type { Binding, BundleStatus, DomainMethod, TrustLevel } from '@countersign/sdk/contract'
import { type FailureState, type LinkState, linkWords } from '@countersign/sdk/words'

const expiredOrInvalid = 'This verification link has expired or is invalid. Verification links are valid for 15 minutes.'

/** The pages of verification links. */
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
    foreign: 'Link of another registry',
    refused: 'Verification failed',
    could_not_check: 'Could not check',
  } satisfies Record<LinkState, string>,

  timer: {
    fiveMinutes: 'This link expires in 5 minutes.',
    oneMinute: 'This link expires in 1 minute.',
  },
  checkedAt: (time: string) => `Checked at ${time}.`,
  checkAgain: 'Check again',
  times: { utc: 'Show times in UTC', local: 'Show local times' },
  details: { heading: 'Details', both: (a: string, b: string) => `${a}, ${b}` },

  chat: {
    ...linkWords.chat,
    byProvider: (provider: string) =>
      `${provider} attached an answer to this link. Paste the answer you received to see whether it is the same, apart from blank space at the ends. It is compared in your browser and never sent to us.`,
    uncheckedProvider: 'The provider, which was not confirmed,',
    byBearer:
      'Text was attached by someone who held the link. It need not come from the provider. Paste the answer you received to see whether it is the same, apart from blank space at the ends. It is compared in your browser and never sent to us.',
    label: 'Answer from your chat',
    compare: 'Compare',
    empty: 'Paste the answer first.',
    unable: 'This browser cannot compare it here. Open the page over https.',
    match: {
      provider: (provider: string) => `It is the same text. ${provider} attached this answer.`,
      bearer: 'It is the same text. Someone who held the link attached it, which does not show that the model wrote it.',
    },
    mismatch:
      'It is not the same text. A single added, missing or changed character is enough: copy the whole answer and nothing else, and compare again. If it still differs, do not take the link as proof of that answer.',
  },

  means: {
    heading: 'What This Verification Means',
    items: {
      authentic: {
        name: 'Authentic',
        text: (domain: string, model: string) =>
          `A server of ${domain} requested this link from this registry, where ${domain} registered ${model}.`,
      },
      secure: { name: 'Secure', text: 'The link is signed, so changes to it are noticed. It stops working after 15 minutes.' },
      trusted: {
        name: 'Trusted',
        text: (domain: string) => `The provider proved that it controls ${domain}. Whether you trust ${domain} is for you to decide.`,
      },
    },
  },

  model: {
    heading: 'Model Details',
    name: 'Name',
    version: 'Version',
    verifiedAt: 'Verified At',
    issuedAt: 'Requested At',
    id: 'Model ID',
    identifier: 'API identifier',
    versionNumber: (version: string, number: number) => `${version} (number ${number})`,
  },
  provider: {
    heading: 'Provider Details',
    domain: 'Domain',
    name: 'Company name, as stated',
    website: 'Website',
    trustLevel: 'Trust level',
    trust: (level: TrustLevel, score: number) =>
      `${{ unverified: 'Not rated yet', basic: 'Basic', standard: 'Standard', advanced: 'Advanced', premium: 'Premium' }[level]}: ${score} of 100`,
    trustWithoutEmail: (rating: string) => `${rating} (the email address is not verified)`,
    trustWithoutDomain: (rating: string) => `${rating} (the domain is not verified)`,
    trustNote: 'A separate score, for the provider’s account and its history. The checks of this link do not depend on it.',
    id: 'Provider ID',
    notProven: (domain: string) => `${domain}, not proven`,
    proven: (domain: string, method: DomainMethod | null, day: string | null) => {
      const how =
        method === null ? '' : ` by ${{ email: 'e-mail at the domain', dns: 'DNS record', file: 'a file on the website' }[method]}`
      return day === null ? `${domain}, proven${how}` : `${domain}, proven${how} on ${day}`
    },
    notStated: 'Not stated',
  },
  security: {
    heading: 'Model Security',
    digest: 'SHA-256 digest of the model file',
    noDigest: 'The provider has not stated a digest of the model file.',
    digestStated: 'Stated by the provider. Nobody has checked that this file is what runs.',
    digestSigned:
      'The signed bundle names this digest and its signer is the one the provider declared. That does not show that this file is what runs.',
    bundle: 'Signed bundle',
    bundleChecked: (time: string) => `Last checked ${time}`,
    bundleNever: 'Never checked',
    bundleStatus: { unknown: 'Not verified', verified: 'Verified', invalid: 'Invalid', error: 'Could not be checked' } satisfies Record<
      BundleStatus,
      string
    >,
    signer: 'Signed by',
    signerMeans: {
      verified: 'The provider declared this signer.',
      unknown: 'Nobody has confirmed that this is the provider’s signer.',
      invalid: 'The bundle names this signer. It is not good: do not rely on it.',
      error: 'The bundle names this signer. It could not be checked.',
    } satisfies Record<BundleStatus, string>,
    signedAt: (time: string) => `Signed ${time}.`,
  },
  deployment: {
    heading: 'Deployment Information',
    proof: 'How it was proven',
    binding: {
      mtls: 'It proved its key over a TLS connection to this registry',
      proxy: 'It proved its key over a TLS connection to a proxy that this registry trusts',
      'self-asserted': 'Named by the caller, not proven',
    } satisfies Record<Binding, string>,
    status: 'Status',
    state: { enabled: 'Enabled', disabled: 'Disabled', deleted: 'Deleted' },
    id: 'Deployment ID',
    fingerprint: 'Key fingerprint',
    spiffe: 'SPIFFE ID',
    cloud: 'Cloud identity, as stated',
  },
  technical: {
    heading: 'Technical details',
    verificationId: 'Verification ID',
    fullFingerprint: 'Key fingerprint (SHA-256 of the SubjectPublicKeyInfo)',
    boundHash: 'Attached answer (SHA-256)',
    repeat: 'Check it yourself',
    json: 'This record as JSON',
  },
  actions: {
    copyShort: 'Copy link',
    report: 'Report',
    details: 'Details',
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
    checkAnother: 'Check another link',
  },
  report: {
    heading: 'Report an Issue',
    text: 'Did the model do harm, fail or pretend to be another? Tell its provider. A report with this link counts for more.',
  },
  qr: {
    heading: 'Open this link on another device',
    text: 'Point its camera at the code. The link expires at the same time there.',
    alt: 'QR code of the verification link',
  },
  timeline: {
    heading: 'What happened when',
    domainProven: (domain: string) => `The provider proved control of ${domain}`,
    bundleChecked: {
      unknown: 'The signed bundle was read, and nothing was verified',
      verified: 'The signed bundle was checked and is valid',
      invalid: 'The signed bundle was checked and is not valid',
      error: 'The signed bundle could not be checked',
    } satisfies Record<BundleStatus, string>,
    issued: 'This link was requested',
    answerByProvider: 'The provider attached an answer',
    answerByBearer: 'Someone who held the link attached an answer',
    superseded: 'A newer version of the model was registered',
    archived: 'The provider withdrew the model',
    checked: 'You opened this page, and everything was checked',
    ends: 'The link expires',
  },
  print: {
    head: (host: string) => `Countersign, ${host}`,
    paper: (time: string) => `This is a copy. It counts for nothing after ${time}. Open the link itself.`,
    url: 'Verification URL',
    issued: 'Requested',
    expires: 'Expires',
    digest: 'SHA-256 digest',
    none: 'none',
  },

  failure: {
    ...linkWords.failure,
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
  hint: (host: string) => `Such as ${host}/v/ and 16 letters and digits. Capitals, spaces and hyphens do not matter.`,
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
