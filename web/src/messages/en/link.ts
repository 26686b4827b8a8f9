import type { Binding, BundleStatus, Change, CheckName, DomainMethod, TrustLevel } from '@countersign/sdk/contract'
import type { LinkState } from '../../pages/verifications/link-state.ts'
import { formatClock } from './site.ts'

type Failure = Exclude<LinkState, 'verified' | 'unknown-provider' | 'check-failed'>

const expiredOrInvalid = 'This verification link has expired or is invalid. Verification links are valid for 15 minutes.'

const thatWasAfter = 'That was after the link was issued. The link is no longer valid.'

/** The pages of verification links. */
export const link = {
  loading: 'Verifying your AI model interaction...',
  loadingTitle: 'Checking a verification link',
  titles: {
    verified: 'Verified AI model',
    'unknown-provider': 'Genuine link, unknown provider',
    'check-failed': 'A check failed',
    expired: 'This link has expired',
    revoked: 'Link no longer valid',
    archived: 'Link no longer valid',
    gone: 'Link no longer valid',
    mistyped: 'Mistyped link',
    malformed: 'Not a verification link',
    'not-found': 'Unknown link',
    forged: 'Forged link',
    foreign: 'Link of another registry',
    failed: 'Verification failed',
    'could-not-check': 'Could not check',
  } satisfies Record<LinkState, string>,

  status: 'Verified AI Model',
  badge: 'Cryptographically Verified',
  statusUnknownProvider: 'Provider not checked',
  statusCheckFailed: 'A check failed',
  issuedBy: (domain: string, model: string) => `${domain} issued this link for ${model}.`,
  company: (name: string) => `The company calls itself ${name}.`,
  asked: {
    proven: 'Asked for by a deployment that proved its key.',
    provenByUnknown: 'Asked for by a deployment that proved its key. Whose deployment it is, nobody has checked.',
    unproven: 'No deployment proved itself: whoever holds the provider’s API key could ask for this link, from any server.',
  },
  genuineButUnknown: 'This link is genuine, but nobody has checked who the provider is.',
  unknownClaims: (model: string, name: string | null) =>
    name === null
      ? `Someone who did not say who they are registered a model called ${model}.`
      : `Someone who calls themselves ${name} registered a model called ${model}.`,
  anyName: 'Anyone can register any name.',
  doNotRely: 'Do not rely on this link: a check failed.',
  doNotRelyWhy: 'The link was issued here, but one of the things that belong to it does not hold. The failed check stands first below.',
  superseded: 'A newer version of this model has been registered. This link stays valid for the version shown.',

  facts: {
    version: 'Version',
    domain: 'Provider domain',
    claimedDomain: 'Website, not proven',
    none: 'none',
    issued: 'Issued',
    expiresIn: 'Expires in',
    until: (time: string) => `until ${formatClock(time)}`,
    validUntil: 'Was valid until',
    wouldExpire: 'Would have expired',
  },
  timer: {
    label: 'Time left until this link expires',
    fiveMinutes: 'This link expires in 5 minutes.',
    oneMinute: 'This link expires in 1 minute.',
    over: 'This link has expired.',
  },
  checkedAt: (time: string) => `Checked on ${time}.`,
  checkAgain: 'Check again',

  checks: {
    heading: 'What was checked',
    passed: 'Passed',
    failed: 'Failed',
    notProven: 'Not proven',
    notChecked: 'Not checked',
    by: (who: string, time: string) => `Checked by ${who}, ${time}`,
    notBy: 'Nobody checked this',
    timeOver: (time: string) => `It was valid until ${time}.`,
    link: 'The link is genuine and within its time',
    names: {
      format: 'The spelling of the link',
      signature: 'The signature of the registry',
      issuer: 'Issued by this registry',
      key: 'The key that signed it',
      time: 'Within its 15 minutes',
      domain: 'The provider’s domain',
      provider: 'The provider’s registration',
      model: 'The model’s registration',
      deployment: 'The deployment that asked for the link',
      digest: 'The digest of the model file',
      bundle: 'The signature on the model file',
      answer: 'An answer attached to the link',
      expectation: 'What you expected to find',
      chat: 'The chat in which you got the link',
    } satisfies Record<CheckName, string>,
  },

  chat: {
    heading: 'Does it match your chat?',
    forwarded:
      'Anyone who has this link can forward it, also a chat that only pretends to be this model. Ask for the link in your own chat.',
    givePhrase: 'When you ask, give the AI a phrase that only you know: it then stands here.',
    challenge:
      'Whoever asked for this link gave the AI this phrase. Compare it with the phrase you gave. If you gave another one or none, this link was not made for you.',
    origin: (origin: string) => `Trust this only if you are chatting at ${origin}`,
    originWhy: 'Compare it with the address bar of your chat.',
    byProvider: (provider: string) =>
      `${provider} attached an answer to this link. Paste the answer you received to see whether it is the same, apart from blank space at the ends. It is compared in your browser and never sent to us.`,
    uncheckedProvider: 'The provider, whom nobody has checked,',
    byBearer:
      'Text was attached by someone who held the link. It need not come from the provider. Paste the answer you received to see whether it is the same, apart from blank space at the ends. It is compared in your browser and never sent to us.',
    label: 'Answer from your chat',
    compare: 'Compare',
    empty: 'Paste the answer first.',
    unable: 'This browser cannot compare it here. Open the page over https.',
    match: {
      provider: (provider: string) => `It is the same text. ${provider} attached this answer.`,
      bearer: 'It is the same text. Someone who held the link attached it; that does not show that the model wrote it.',
    },
    mismatch:
      'It is not the same text. A single added, missing or changed character is enough: copy the whole answer and nothing else, and compare again. If it still differs, do not take the link as proof of that answer.',
  },

  means: {
    heading: 'What This Verification Means',
    items: {
      authentic: {
        name: 'Authentic',
        text: (domain: string, model: string) => `This registry made the link for ${domain}, which registered ${model} here.`,
      },
      secure: { name: 'Secure', text: 'The link is signed. It cannot be changed unnoticed and stops working after 15 minutes.' },
      trusted: {
        name: 'Trusted',
        text: (domain: string) => `The provider has proven control of ${domain}. Whether you trust ${domain} is for you to decide.`,
      },
    },
  },
  limits: {
    heading: 'What this does not prove',
    chat: 'That the chat you see comes from this model. A link can be copied, and a chat can pass your words on to the real model.',
    phrase: 'A phrase that matches does not rule that out.',
    origin: (origin: string) => `To rule it out, compare the address of your chat: it has to be ${origin}.`,
    items: ['That the answers are true, safe or unbiased.', 'That we recommend this provider.'],
  },

  model: {
    heading: 'Model Details',
    name: 'Name',
    version: 'Version',
    verifiedAt: 'Verified At',
    issuedAt: 'Issued At',
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
    trustWithoutEmail: (rating: string) => `${rating} (the e-mail address is not verified)`,
    trustWithoutDomain: (rating: string) => `${rating} (the domain is not verified)`,
    trustNote: 'A separate score, for the provider’s account and its history. The checks of this link do not depend on it.',
    id: 'Provider ID',
    notProven: (domain: string) => `${domain}, not proven`,
    proven: (domain: string, method: DomainMethod | null, day: string | null) => {
      const how =
        method === null ? '' : ` by ${{ email: 'e-mail at the domain', dns: 'DNS record', file: 'a file on the website' }[method]}`
      return day === null ? `${domain}, proven${how}` : `${domain}, proven${how} on ${day}`
    },
    nobody: 'Not stated',
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
    text: 'Did the model do harm, fail, or pretend to be another? Tell its provider. A report with this link weighs more than one without.',
  },
  qr: {
    heading: 'Open this link on another device',
    text: 'Point its camera at the code. The link stays valid only as long as here.',
    alt: 'QR code of the verification link',
  },
  timeline: {
    heading: 'What happened when',
    domainProven: (domain: string) => `The provider proved control of ${domain}`,
    bundleChecked: {
      unknown: 'The signed bundle was looked at; nothing was verified',
      verified: 'The signed bundle was checked and is good',
      invalid: 'The signed bundle was checked and is not valid',
      error: 'The signed bundle could not be checked',
    } satisfies Record<BundleStatus, string>,
    issued: 'This link was issued',
    answerByProvider: 'The provider attached an answer',
    answerByBearer: 'Someone who held the link attached an answer',
    superseded: 'A newer version of the model was registered',
    archived: 'The provider withdrew the model',
    checked: 'You opened this page, and all of it was checked anew',
    ends: 'The link ends',
  },
  print: {
    head: (host: string) => `Countersign, ${host}`,
    paper: (time: string) => `This is a copy. It counts for nothing after ${time}: open the link itself.`,
    url: 'Verification URL',
    issued: 'Issued',
    expires: 'Expires',
    digest: 'SHA-256 digest',
  },

  failure: {
    heading: 'Verification Failed',
    couldNotCheck: 'Could not check',
    noProof: 'Do not take this link as proof of anything the chat told you.',
    noVerdict: 'This says nothing about the link: it may be good or bad. Do not rely on it until it has been checked.',
    opened: 'You opened',
    reasonsHeading: 'Common reasons',
    reasons: [
      'The link expired. Links work for 15 minutes.',
      'The link was modified or corrupted when it was copied.',
      'The model is not registered here.',
      'Network issues.',
    ],
    whatItWas: 'What the link was',
    what: {
      expired: 'This link has expired.',
      revoked: 'This link is no longer valid.',
      archived: 'The provider has withdrawn this model.',
      gone: 'What this link stood for is gone.',
      mistyped: 'This link is mistyped.',
      malformed: 'This is not a verification link.',
      'not-found': 'This registry never issued this link, or no longer knows it.',
      forged: 'This registry did not sign this.',
      foreign: 'This link belongs to another registry.',
      failed: 'This link did not pass.',
      'could-not-check': 'This link could not be checked.',
    } satisfies Record<Failure, string>,
    wasValid: (from: string, until: string) => `It was valid from ${from} to ${until}.`,
    next: {
      expired: 'Ask for a new link in your chat.',
      revoked: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      archived: 'The model no longer vouches for anything here. Ask the provider which version is current.',
      gone: 'Nobody vouches for this model here any more.',
      mistyped:
        'A letter or digit is wrong, missing or swapped. That happens when a link is typed or when a model garbles it; it does not mean that the link is fake. Compare it with your chat, or ask for the link again.',
      malformed: 'It has no code of 16 letters and digits. Copy the whole link from your chat and try again.',
      'not-found': 'Its code is spelled like a real one. Ask for a new link in your chat; a model that is registered can give one at once.',
      forged: 'Someone made it, or changed it after it was issued. Be careful with the chat that gave it to you.',
      failed: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      foreign: (host: string) => `We cannot check it here. Only links that begin with ${host} are ours.`,
      'could-not-check': 'We could not reach the registry, or it could not look everything up. Your connection may be down.',
    },
    /** What happened to it, and what that means for the link. */
    changed: {
      expired: null,
      key_compromised: ['The key that signed this link was compromised.', 'Nothing that this registry signed with it counts any more.'],
      api_key_compromised: [
        'The company reported the access key that asked for this link as leaked.',
        'Someone else may have made this link.',
      ],
      provider_deactivated: ['The provider’s account was deactivated.', thatWasAfter],
      provider_deleted: ['The provider’s account was deleted.', thatWasAfter],
      model_archived: ['The provider has withdrawn this model.', thatWasAfter],
      model_deleted: ['This model was deleted.', thatWasAfter],
      deployment_disabled: ['The deployment in this link was disabled.', thatWasAfter],
      deployment_deleted: ['The deployment in this link was deleted.', thatWasAfter],
      authorization_removed: ['The deployment in this link is no longer authorized for the model.', thatWasAfter],
      bundle_invalid: ['The signature of the model file is not valid.', 'The link is no longer valid.'],
    } satisfies Record<Change, readonly [what: string, then: string] | null>,
    general: (text: string) => `Said of every link that is not good now: “${text}”`,
    seeds: {
      expired: expiredOrInvalid,
      revoked: expiredOrInvalid,
      archived: expiredOrInvalid,
      gone: 'The model or provider associated with this verification no longer exists.',
      mistyped: expiredOrInvalid,
      malformed: expiredOrInvalid,
      'not-found': expiredOrInvalid,
      forged: expiredOrInvalid,
      foreign: expiredOrInvalid,
      failed: 'Verification failed. Token may be invalid or expired.',
      'could-not-check': 'Unable to verify this link. Please try again or contact support.',
    } satisfies Record<Failure, string>,
    wasIssuedBy: (domain: string, model: string) => `${domain} issued it for ${model}.`,
    wasClaimedBy: (model: string) => `It was issued for a model called ${model}, whose provider nobody had checked.`,
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
