import type { Change, Check, CheckName, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { quoted } from '@countersign/sdk/words'
import { escapeMarkup, shownTime } from './markup.ts'

/** Why a link is refused, in the shape in which the console reads it. */
export interface LinkRefusal {
  code: LinkErrorCode
  reason: Reason | null
  change: Change | null
  checks: readonly Check[]
  verification: VerificationResult | null
  /** The registry's words for it. */
  detail: string
}

/** What the registry says of a link at the moment of reading. */
export type LinkAnswer = { record: VerificationResult } | { refusal: LinkRefusal }

/** The console's words of the checks, for those who read it without scripts. */
export const checkWords = {
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
} as const satisfies Record<CheckName, string>

/** The console's words of links that are refused: what happened to them, else what they are. */
export const refusalWords = {
  link_expired: 'This link has expired.',
  link_revoked: 'This link is no longer valid.',
  link_archived: 'The provider has withdrawn this model.',
  link_gone: 'What this link stood for is gone.',
  link_mistyped: 'This link is mistyped.',
  link_malformed: 'This is not a verification link.',
  link_unknown: 'This registry never issued this link, or no longer knows it.',
  link_forged: 'This registry did not sign this.',
  link_foreign: 'This link belongs to another registry.',
  could_not_check: 'This link could not be checked.',
} as const satisfies Record<LinkErrorCode, string>
export const changeWords = {
  expired: null,
  key_compromised: 'The key that signed this link was compromised.',
  api_key_compromised: 'The company reported the access key that asked for this link as leaked.',
  provider_deactivated: 'The provider’s account was deactivated.',
  provider_deleted: 'The provider’s account was deleted.',
  model_archived: 'The provider has withdrawn this model.',
  model_deleted: 'This model was deleted.',
  deployment_disabled: 'The deployment in this link was disabled.',
  deployment_deleted: 'The deployment in this link was deleted.',
  authorization_removed: 'The deployment in this link is no longer authorized for the model.',
  bundle_invalid: 'The signature of the model file is not valid.',
} as const satisfies Record<Change, string | null>

export const limitWords = {
  chat: 'That the chat you see comes from this model. A link can be copied, and a chat can pass your words on to the real model.',
  phrase: 'A phrase that matches does not rule that out.',
  origin: (origin: string) => `To rule it out, compare the address of your chat: it has to be ${origin}.`,
} as const

/** Names only what the link carries. Whoever is not known may have named any address. */
const limitsOf = (record: VerificationResult) => [
  [
    limitWords.chat,
    ...(record.challenge ? [limitWords.phrase] : []),
    ...(record.origin && provenDomain(record) !== null ? [limitWords.origin(record.origin)] : []),
  ].join(' '),
  'That the answers are true, safe or unbiased.',
  'That we recommend this provider.',
]

const paragraph = (text: string) => `<p>${escapeMarkup(text)}</p>`
const heading = (text: string) => `<h2>${escapeMarkup(text)}</h2>`
const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

/** A deployment that the caller merely named never counts as passed. */
const passedOf = ({ check, passed }: Check, record: VerificationResult | null) =>
  check === 'deployment' && passed === true && record?.deployment_info?.binding === 'self-asserted' ? null : passed

const checkList = (checks: readonly Check[], record: VerificationResult | null): string => {
  if (checks.length === 0) return ''
  const rank = (check: Check) => [false, true, null].indexOf(passedOf(check, record))
  const rows = checks
    .toSorted((a, b) => rank(a) - rank(b))
    .map((check) => {
      const passed = passedOf(check, record)
      const status = passed === true ? 'Passed' : passed === null ? 'Not checked' : check.check === 'domain' ? 'Not proven' : 'Failed'
      return `<strong>${status}</strong> ${escapeMarkup(`${checkWords[check.check]}. ${check.detail}`)}`
    })
  return `${heading('What was checked')}${list(rows)}`
}

interface Verdict {
  status: string
  sentence: string
  why: readonly string[]
}

const verdictOf = (record: VerificationResult): Verdict => {
  const { model, provider, result, status, live_state, checks } = record
  const domain = provenDomain(record)
  const name = model === null ? '' : quoted(`${model.name} ${model.version}`)
  const hasFailed = checks.some(({ check, passed }) => passed === false && check !== 'domain')
  const isLive = live_state === 'checked' && model !== null && provider !== null
  if (!isLive || status === 'not_verified' || hasFailed)
    return {
      status: 'A check failed',
      sentence: 'Do not rely on this link: a check failed.',
      why: ['The link was issued here, but one of the things that belong to it does not hold.'],
    }
  const company = provider.name === null ? null : quoted(provider.name)
  if (domain !== null && status === 'verified' && result === 'verified')
    return {
      status: 'Verified AI Model. Cryptographically Verified.',
      sentence: `${domain} issued this link for ${name}.`,
      why: company === null ? [] : [`The company calls itself ${company}.`],
    }
  const claimed = company === null ? 'Someone who did not say who they are' : `Someone who calls themselves ${company}`
  return {
    status: 'Provider not checked',
    sentence: 'This link is genuine, but nobody has checked who the provider is.',
    why: [`${claimed} registered a model called ${name}. Anyone can register any name.`],
  }
}

const loadAgain = 'To have it checked anew, load this page again.'

const askedBy = ({ deployment_info: deployment }: VerificationResult): string =>
  deployment === null || deployment.binding === 'self-asserted'
    ? 'No deployment proved itself: whoever holds the provider’s API key could ask for this link, from any server.'
    : 'Asked for by a deployment that proved its key.'

const summaryOfRecord = (record: VerificationResult): string => {
  const { status, sentence, why } = verdictOf(record)
  const { model, challenge, origin, timestamp, expires_at, checked_at } = record
  return [
    paragraph(status),
    `<h1>${escapeMarkup(sentence)}</h1>`,
    ...why.map(paragraph),
    paragraph(askedBy(record)),
    paragraph(`Issued ${shownTime(timestamp)}. Valid until ${shownTime(expires_at)}.`),
    paragraph('After that this page counts for nothing, also as a copy or on paper: open the link itself.'),
    ...(model?.superseded_at
      ? [paragraph('A newer version of this model has been registered. This link stays valid for the version shown.')]
      : []),
    paragraph(`Checked on ${shownTime(checked_at)}. ${loadAgain}`),
    heading('Does it match your chat?'),
    ...(challenge === null
      ? []
      : [
          paragraph(`Whoever asked for this link gave the AI this phrase: ${quoted(challenge)}.`),
          paragraph('Compare it with the phrase you gave. If you gave another one or none, this link was not made for you.'),
        ]),
    ...(origin === null ? [] : [paragraph(`Trust this only if you are chatting at ${origin}`)]),
    paragraph('Anyone who has this link can forward it. Ask for the link in your own chat.'),
    checkList(record.checks, record),
    heading('What this does not prove'),
    list(limitsOf(record).map(escapeMarkup)),
  ].join('\n')
}

const summaryOfRefusal = ({ code, change, detail, checks, verification }: LinkRefusal): string =>
  [
    paragraph('Verification Failed'),
    `<h1>${escapeMarkup((change && changeWords[change]) ?? refusalWords[code] ?? detail)}</h1>`,
    ...(verification === null ? [] : [paragraph(lifeOf(verification, code === 'link_expired'))]),
    '<p><strong>Do not take this link as proof of anything the chat told you.</strong></p>',
    checkList(checks, verification),
  ].join('\n')

const lifeOf = ({ timestamp, expires_at }: VerificationResult, isOver: boolean) =>
  isOver
    ? `It was valid from ${shownTime(timestamp)} to ${shownTime(expires_at)}.`
    : `It was issued ${shownTime(timestamp)} and would have been valid until ${shownTime(expires_at)}.`

/** Where the registry cannot judge a link now. */
export const nothingKnown = [
  '<h1>This link could not be checked.</h1>',
  paragraph('This says nothing about the link: it may be good or bad. Do not rely on it until it has been checked.'),
  paragraph('Load this page again in a minute, or check the link with the command countersign verify.'),
].join('\n')

/** The link page before its scripts have run, and for those who run none: the same verdict, judged when the page was asked for. */
export const linkSummary = (answer: LinkAnswer): string =>
  'record' in answer ? summaryOfRecord(answer.record) : summaryOfRefusal(answer.refusal)
