import type { Change, CheckName, LaterChange } from '../contract/verifications.ts'
import type { StepWords } from '../verify/verdict.ts'
import type { CheckCounts, FailureState, LinkState } from './link-screen.ts'
import { quoteExactly } from './quotation.ts'

const thatWasAfter = 'That was after the link was made.'

interface StepValues {
  domain: string
  /** `checked today` */
  when: string
  /** The name of the issuer that vouches for the server. */
  platform?: string
  /** Null if it is withheld. */
  subject?: string | null
  /** Whether the company is confirmed. */
  isKnown: boolean
}

/** The texts of a link's page, with and without scripts. */
export const linkWords = {
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
    foreign: 'Link from another registry',
    refused: 'Not verified',
    could_not_check: 'Could not check',
  } satisfies Record<LinkState, string>,
  seals: { verified: 'Cryptographically Verified', failed: 'Verification Failed' },

  /** The requester of the link, and the model. */
  about: {
    requestedBy: (domain: string, time: string) => `Requested by ${domain} at ${time}.`,
    requestedFor: (model: string, time: string) => `Requested at ${time} for a model they call ${model}.`,
    claimant: (name: string | null) =>
      name === null ? 'Someone who gave no name' : `Someone calling themselves ${name}`,
    expires: (left: string) => `Expires in ${left}.`,
    expiresAt: (time: string) => `Valid until ${time}.`,
    company: (name: string) => `The company calls itself ${name}.`,
    superseded: 'A newer version of this model exists. This link is for the version shown.',
    originLost: 'The chat’s website is no longer proven.',
    similarName: (domain: string) =>
      `Another provider has had a similar name and a proven domain for longer: ${domain}`,
    changed: (field: string, minted: string, now: string) =>
      `${field} was ${minted} when this link was made, and is ${now} now.`,
    fields: {
      'model.name': 'The name of the model',
      'model.version': 'The version of the model',
      'model.type': 'The type of the model',
      'model.model_digest': 'The digest of the model file',
      'provider.name': 'The name of the company',
      'provider.website': 'The website of the company',
      'provider.domain': 'The domain of the company',
    } satisfies Record<LaterChange['field'], string>,
    nothing: 'not stated',
  },

  /** The texts of the three steps. */
  steps: {
    label: 'What is confirmed',
    names: { provider: 'Company', server: 'Server', model_file: 'Model file' },
    states: { proven: 'Confirmed', stated: 'Stated, not confirmed', missing: 'Not confirmed' },
    words: {
      not_checked: () => 'Not checked',
      domain_dns: ({ domain, when }) => `Controls ${domain} (DNS, ${when})`,
      domain_file: ({ domain, when }) => `Controls ${domain} (file on its site, ${when})`,
      domain_stale: ({ domain, when }) => `Controlled ${domain}, last ${when}. We can’t confirm it now`,
      domain_claimed: ({ domain }) =>
        `${domain === '' ? 'Names no domain' : `Claims ${domain}. Not shown to be theirs`}. Anyone can register any name`,
      server_mtls: () => 'Proved the company approved it for this model',
      server_proxy: () => 'Proved to our proxy that the company approved it',
      server_signed: () => 'Proved by a signature with its key that the company approved it',
      server_workload: ({ domain, platform, subject }) =>
        `${platform} ${subject ? `says: this is ${quoteExactly(subject)}, which` : 'confirmed a workload that'} ${domain} trusts`,
      server_of_unknown: () => 'Proved its own key, but not which company it belongs to',
      server_named: () =>
        'Named itself but proved nothing. Anyone with the company’s access key could have made this link',
      server_none: ({ isKnown }) =>
        isKnown
          ? 'Did not identify itself. Anyone with the company’s access key could have made this link'
          : 'Did not identify itself',
      file_signed: () => 'Signed by the company. We checked the signature',
      file_signed_by_other: () => 'Signed by a third party',
      file_digest: ({ isKnown }) =>
        isKnown ? 'Named by the company, not checked by us' : 'Named by them, not checked by us',
      file_none: () => 'Nothing stated',
    } satisfies Record<StepWords, (values: StepValues) => string>,
  },
  checked: {
    today: 'checked today',
    yesterday: 'checked yesterday',
    on: (day: string) => `checked on ${day}`,
    before: 'checked before',
  },

  /** One sentence on what the link does not prove. */
  limit: {
    verified: 'This cannot prove that your chat is with this server.',
    provider_only: 'This cannot prove which AI is in your chat: links can be passed on.',
    provider_unverified:
      'Do not trust this chat or share anything private. To reach the real company, type its web address yourself.',
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

  chat: {
    heading: 'Does it match your chat?',
    forwarded:
      'Anyone can pass this link on, even a chat that only pretends to be this model. Ask for the link in your own chat.',
    givePhrase: 'When you ask, give the AI a phrase only you know. It will appear on this page.',
    comparePhrase: 'The phrase above was sent with the request for this link. Compare it with yours.',
    compareOrigin: (origin: string) =>
      `The address of your chat has to be ${origin}. Look at the address bar of your browser.`,
    unknown: 'Nothing here shows which company you are talking to. If the chat names one, open its website yourself.',
  },

  doNotRely: 'Do not rely on this link',
  doNotRelyWhy: 'This registry made the link, but a check did not pass.',

  checks: {
    heading: 'What was checked',
    passed: 'Passed',
    failed: 'Failed',
    notProven: 'Not proven',
    notChecked: 'Not checked',
    log: {
      logged: 'Logged',
      being_logged: 'Being logged',
      logged_privately: 'Logged as a hash',
      not_logged: 'Not logged',
      could_not_check: 'Not checked',
    },
    details: 'Details',
    /** One line for the whole list. Beside a failure, readers wondered what had passed. */
    summary: ({ failed, passed, unproven, open }: CheckCounts) =>
      [
        failed > 0 && `${failed} failed`,
        failed + unproven === 0 && `${passed} passed`,
        unproven > 0 && `${unproven} not proven`,
        open > 0 && `${open} not checked`,
      ]
        .filter((count) => count !== false)
        // `6 checks passed, 3 not checked`
        .map((count, index) =>
          index > 0 ? count : count.replace(' ', count.startsWith('1 ') ? ' check ' : ' checks '),
        )
        .join(', '),
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
      log: 'The public log',
      answer: 'An answer attached to the link',
      expectation: 'What you expected to find',
      chat: 'Your chat',
    } satisfies Record<CheckName, string>,
  },
  limits: {
    heading: 'What this does not prove',
    chat: 'That the chat you see comes from this model. A link can be copied, and a chat can pass your words on to the real model.',
    phrase: 'A phrase that matches does not rule that out.',
    origin: (origin: string) => `To rule it out, compare the address of your chat: it has to be ${origin}.`,
    items: ['That the answers are true, safe or unbiased.', 'That we recommend this company.'],
  },

  failure: {
    noProof: 'Until a link passes, treat this chat as unconfirmed.',
    noVerdict: 'This says nothing about the link: it may be good or bad. Do not rely on it until it has been checked.',
    /** A heading if the link itself is not at fault, else a sentence under the heading. */
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
    expired: (made: string, ended: string) => `Made at ${made}. Its 15 minutes ended at ${ended}.`,
    wasFor: (by: string, domain: string, model: string) => `It was requested ${by} ${domain} for ${model}.`,
    wasClaimed: (by: string, model: string) =>
      `It was requested for a model called ${model}, ${by} a company that was not confirmed.`,
    by: 'by',
    /** It leaked, so anyone could have made the request. */
    byKey: 'with an access key of',
    made: (time: string) => `Made at ${time}.`,
    cancelled: (made: string, ended: string) => `Made at ${made}, cancelled at ${ended}.`,
    next: {
      expired: 'Ask for a new link in your chat.',
      revoked: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      archived: 'Ask the company which version is current, and for a new link in your chat.',
      gone: 'Treat this chat as unconfirmed.',
      mistyped:
        'A letter or digit is wrong, missing or swapped. That does not mean that the link is fake. Compare it with your chat, or ask for the link again.',
      malformed: 'It has no code of 16 letters and digits. Copy the whole link from your chat and try again.',
      not_found: 'Its code is spelled like a real one. Ask for a new link in your chat.',
      forged: 'Someone else made it, or changed it afterwards. Be careful with the chat that gave it to you.',
      refused: 'Ask for a new link in your chat. If the new one fails too, be careful.',
      foreign: (host: string) => `We cannot check it here. Only links that begin with ${host} are ours.`,
      could_not_check: 'The registry could not be reached, or could not look everything up. Try again in a minute.',
    },
    /** What changed, and what that means for the link. */
    changed: {
      expired: null,
      key_compromised: ['The key that signed this link was compromised.', 'No link signed with it can be trusted.'],
      api_key_compromised: [
        'The company reported the access key that requested this link as leaked.',
        'Someone else may have made this link.',
      ],
      provider_deactivated: ['The company’s account was deactivated.', thatWasAfter],
      provider_deleted: ['The company’s account was deleted.', thatWasAfter],
      model_archived: ['The company has withdrawn this model.', thatWasAfter],
      model_deleted: ['This model was deleted.', thatWasAfter],
      deployment_disabled: [
        'The company cancelled the permission of the server that requested this link.',
        thatWasAfter,
      ],
      deployment_deleted: ['The company removed the server that requested this link.', thatWasAfter],
      authorization_removed: [
        'The server that requested this link is no longer approved for this model.',
        thatWasAfter,
      ],
      suspended: ['The registry was restored.', 'The company has not confirmed its links since.'],
      bundle_invalid: ['The signature of the model file is not valid.', 'So the link proves nothing.'],
    } satisfies Record<Change, readonly [what: string, then: string] | null>,
  },
} as const

/** Texts of the page without scripts. Separate, so that the console does not load them. */
export const plainLinkWords = {
  checked: (time: string) => `Checked at ${time}. Load this page again to have the link checked again.`,
  copy: (time: string) => `A copy of this page proves nothing after ${time}. Open the link itself.`,
  again: 'Load this page again in a minute.',
} as const
