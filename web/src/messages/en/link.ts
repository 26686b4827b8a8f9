import type { Binding, BundleStatus, Change, CheckName, DomainMethod, TrustLevel } from '@countersign/sdk/contract'
import type { StepWords } from '@countersign/sdk/verify'
import type { FailureState, LinkState } from '../../pages/verifications/link-state.ts'



const expiredOrInvalid = 'This verification link has expired or is invalid. Verification links are valid for 15 minutes.'

const thatWasAfter = 'That was after the link was made.'

interface StepValues {
  domain: string
  /** `checked today` */
  when: string
  isKnown: boolean
}

/** The pages of verification links. */
export const link = {
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

  /** The coloured band at the top of the page. */
  bands: {
    verified: 'Verified AI Model',
    provider_only: 'Company confirmed, AI not confirmed',
    provider_unverified: 'We don’t know who this is',
    domain_stale: 'Company not confirmed now',
    check_failed: 'A check failed',
    expired: 'Expired',
    revoked: 'No longer valid',
    archived: 'No longer valid',
    gone: 'No longer valid',
    mistyped: 'Mistyped link',
    malformed: 'Not a verification link',
    not_found: 'Unknown link',
    forged: 'Forged link',
    foreign: 'Link of another registry',
    refused: 'Not verified',
    could_not_check: 'Could not check',
  } satisfies Record<LinkState, string>,
  seals: { verified: 'Cryptographically Verified', failed: 'Verification Failed' },

  /** Who asked for the link, and for which model. */
  about: {
    requestedBy: (domain: string, time: string) => `Requested by ${domain} at ${time}.`,
    requestedFor: (model: string, time: string) => `Requested at ${time} for a model they call ${model}.`,
    claimant: (name: string | null) => (name === null ? 'Someone who gave no name' : `Someone calling themselves ${name}`),
    expires: (left: string) => `Expires in ${left}.`,
    expiresAt: (time: string) => `Valid until ${time}.`,
    company: (name: string) => `The company calls itself ${name}.`,
    superseded: 'A newer version of this model exists. This link is valid for the version shown.',
    similarName: (domain: string) => `Another provider, proven earlier, has a similar name: ${domain}`,
    changed: (field: string, minted: string, now: string) => `${field} was ${minted} when the link was made. It is ${now} now.`,
    fields: {
      api_model_identifier: 'The API identifier',
      name: 'The model’s name',
      display_name: 'The model’s name',
      version: 'The version',
      type: 'The model type',
      model_type: 'The model type',
      model_digest: 'The file the model runs from',
      company_name: 'The company’s name',
      website: 'The website',
      domain: 'The domain',
    } as Readonly<Record<string, string>>,
    nothing: 'not stated',
  },

  /** The three steps of strength, in words. */
  steps: {
    label: 'What is confirmed',
    names: { provider: 'Company', server: 'Server', model_file: 'Model file' },
    states: { proven: 'Confirmed', stated: 'Stated, not confirmed', missing: 'Not confirmed' },
    words: {
      not_checked: () => 'Not checked',
      domain_dns: ({ domain, when }) => `Controls ${domain}: DNS record ${when}`,
      domain_file: ({ domain, when }) => `Controls ${domain}: file on its website ${when}`,
      domain_email: ({ domain, when }) => `Controls ${domain}: email address ${when}`,
      domain_stale: ({ domain, when }) => `Controlled ${domain} when last ${when}. We can’t reach its DNS record now`,
      domain_claimed: ({ domain }) => `Claims ${domain}, but has not shown that it is theirs. Anyone can register any name`,
      domain_none: () => 'Names no domain. Anyone can register any name',
      server_mtls: () => 'Proved that the company approved it for this model',
      server_proxy: () => 'Proved to this registry’s proxy that the company approved it for this model',
      server_of_unknown: () => 'Proved its own key. Which company it belongs to was not confirmed',
      server_named: () => 'Named itself but proved nothing. Anyone with the company’s access key could have made this link',
      server_none: ({ isKnown }) =>
        isKnown ? 'Not confirmed. Anyone with the company’s access key could have made this link' : 'Not confirmed',
      file_signed: () => 'Signed by the company. We checked the signature',
      file_signed_by_other: () => 'Signed by a third party, not shown to be the company',
      file_digest: () => 'Named by the company, not checked by us',
      file_none: () => 'Nothing stated',
    } satisfies Record<StepWords, (values: StepValues) => string>,
  },
  checked: { today: 'checked today', yesterday: 'checked yesterday', on: (day: string) => `checked on ${day}` },

  /** One sentence on what the link does not prove. */
  limit: {
    verified: 'This cannot prove that your chat is with this server.',
    provider_only: 'This cannot prove which AI is in your chat: links can be passed on.',
    provider_unverified: 'Do not trust this chat or share anything private. To reach the real company, type its web address yourself.',
    domain_stale: 'Treat this chat as unconfirmed until the company is confirmed again.',
    howToBeSure: 'How to be sure',
    whatToDo: 'What to do',
  },

  match: {
    isYours: 'Is this your phrase?',
    phrase: 'If not, this link was not made for you. If so, it could still have been passed on.',
    origin: (origin: string) => `Trust this only if you are chatting at ${origin}`,
    originWhy: 'Compare it with the address bar of your chat.',
  },

  doNotRely: 'Do not rely on this link',
  doNotRelyWhy: 'This registry made the link, but something it depends on did not pass.',

  timer: {
    fiveMinutes: 'This link expires in 5 minutes.',
    oneMinute: 'This link expires in 1 minute.',
  },
  checkedAt: (time: string) => `Checked at ${time}.`,
  checkAgain: 'Check again',
  times: { utc: 'Show times in UTC', local: 'Show local times' },
  details: { heading: 'Details', both: (a: string, b: string) => `${a}, ${b}` },

  checks: {
    heading: 'What was checked',
    passed: 'Passed',
    failed: 'Failed',
    notProven: 'Not proven',
    notChecked: 'Not checked',
    /** One line over the list. */
    summary: ({ failed, passed, open }: { failed: number; passed: number; open: number }) =>
      [
        failed > 0 && (failed === 1 ? '1 check failed' : `${failed} checks failed`),
        passed > 0 && (failed > 0 ? `${passed} passed` : passed === 1 ? '1 check passed' : `${passed} checks passed`),
        open > 0 && (failed + passed > 0 ? `${open} not checked` : open === 1 ? '1 check not made' : `${open} checks not made`),
      ]
        .filter(Boolean)
        .join(', '),
    timeOver: (time: string) => `It was valid until ${time}.`,
    link: 'The link is genuine and within its time',
    names: {
      format: 'The spelling of the link',
      signature: 'The signature of the registry',
      issuer: 'Made by this registry',
      key: 'The key that signed it',
      time: 'Within its 15 minutes',
      domain: 'The provider’s domain',
      provider: 'The provider’s registration',
      model: 'The model’s registration',
      deployment: 'The deployment that requested the link',
      digest: 'The file the model runs from',
      bundle: 'The signature over the model’s digest',
      answer: 'An answer attached to the link',
      expectation: 'What you expected to find',
      chat: 'The chat in which you got the link',
    } satisfies Record<CheckName, string>,
  },

  chat: {
    heading: 'Does it match your chat?',
    forwarded: 'Anyone can pass this link on, even a chat that only pretends to be this model. Ask for the link in your own chat.',
    givePhrase: 'When you ask, give the AI a phrase only you know. It will appear on this page.',
    comparePhrase: 'The phrase above was given to the AI by the person who asked for this link. Compare it with yours.',
    compareOrigin: (origin: string) => `The address of your chat has to be ${origin}. Look at the address bar of your browser.`,
    unknown: 'Nothing on this page shows which company you are talking to. If the chat claims to be a company, open its website yourself.',
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
    noProof: 'Until a link passes, treat this chat as unconfirmed.',
    noVerdict: 'This says nothing about the link: it may be good or bad. Do not rely on it until it has been checked.',
    opened: 'You opened',
    reasonsHeading: 'Common reasons',
    reasons: [
      'The link expired. Links work for 15 minutes.',
      'The link was modified or corrupted when it was copied.',
      'The model is not registered here.',
      'Network issues.',
    ],
    /** A heading where the link itself is not at fault; else a sentence under it. */
    what: {
      expired: 'This link has expired.',
      revoked: 'This link is no longer valid.',
      archived: 'The company has withdrawn this model.',
      gone: 'The company or the model behind this link is gone.',
      mistyped: 'This link is mistyped',
      malformed: 'This is not a verification link',
      not_found: 'This registry never made this link, or no longer knows it.',
      forged: 'This registry did not sign this.',
      foreign: 'This link belongs to another registry',
      refused: 'This link did not pass.',
      could_not_check: 'This link could not be checked',
    } satisfies Record<FailureState, string>,
    wasValid: (from: string, until: string) => `It was valid from ${from} to ${until}.`,
    wasFor: (domain: string, model: string) => `It was requested by ${domain} for ${model}.`,
    wasClaimed: (model: string) => `It was requested for a model called ${model}, by a provider that was not confirmed.`,
    made: (time: string) => `Made at ${time}.`,
    cancelled: (made: string, ended: string) => `Made at ${made}, cancelled at ${ended}.`,
    next: {
      expired: 'Ask for a new link in your chat.',
      revoked: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      archived: 'Ask the company which version is current, and for a new link in your chat.',
      gone: 'Treat this chat as unconfirmed.',
      mistyped:
        'A letter or digit is wrong, missing or swapped. That happens when a link is typed, or when an AI garbles it. It does not mean that the link is fake. Compare it with your chat, or ask for the link again.',
      malformed: 'It has no code of 16 letters and digits. Copy the whole link from your chat and try again.',
      not_found: 'Its code is spelled like a real one. Ask for a new link in your chat. A registered model can give one at once.',
      forged: 'Someone else made it, or changed it afterwards. Be careful with the chat that gave it to you.',
      refused: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      foreign: (host: string) => `We cannot check it here. Only links that begin with ${host} are ours.`,
      could_not_check: 'The registry could not be reached, or could not look everything up. Your connection may be down.',
    },
    /** What happened to it, and what that means for the link. */
    changed: {
      expired: null,
      key_compromised: ['The key that signed this link was compromised.', 'No link signed with it can be trusted.'],
      provider_deactivated: ['The company’s account was deactivated.', thatWasAfter],
      provider_deleted: ['The company’s account was deleted.', thatWasAfter],
      model_archived: ['The company has withdrawn this model.', thatWasAfter],
      model_deleted: ['This model was deleted.', thatWasAfter],
      deployment_disabled: ['The company switched off the server that requested this link.', thatWasAfter],
      deployment_deleted: ['The company removed the server that requested this link.', thatWasAfter],
      authorization_removed: ['The company no longer approves the server that requested this link for this model.', thatWasAfter],
      bundle_invalid: ['The signature of the model file is not valid.', 'So the link proves nothing.'],
    } satisfies Record<Change, readonly [what: string, then: string] | null>,
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
