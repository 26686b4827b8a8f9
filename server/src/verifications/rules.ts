import {
  type Binding,
  type BundleReason,
  type BundleSigner,
  type Change,
  type Check,
  type CheckName,
  type DeploymentProof,
  describeSigner,
  type GoneChange,
  goneChanges,
  type LinkErrorCode,
  type LinkLog,
  linkErrorOf,
  type Reason,
  type Result,
  reasonOfChange,
  type Strength,
} from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { timeOf } from '../db/times.ts'

/** The live state behind a link when it is read. */
export interface LinkFacts {
  issued_at: number
  expires_at: number
  minted_domain: string | null
  key_state: 'next' | 'active' | 'retired' | 'compromised' | 'suspended' | null
  provider_gone: 'deactivated' | 'deleted' | null
  /** The registry was restored, and its owner has not confirmed the account since. */
  is_suspended: boolean
  /** The access key that requested it was reported as leaked, effective before it was issued. */
  is_api_key_compromised: boolean
  /** The domain it was minted under, else the provider's primary one. */
  domain: string | null
  domain_verified_at: number | null
  domain_method: 'dns' | 'file' | null
  /** When the proof was last confirmed. */
  domain_checked_at: number | null
  domain_stale_since: number | null
  model_deleted: boolean
  model_archived_at: number | null
  model_superseded_at: number | null
  model_digest: string | null
  bundle_status: 'unknown' | 'verified' | 'invalid' | 'error'
  bundle_checked_at: number | null
  /** The signer, in a few words. */
  bundle_signer: string | null
  /** Why a valid signature does not verify the version. */
  bundle_reason: BundleReason | null
  binding: Binding | null
  /** What the platform of the server said, with the issuer as visitors see it. */
  workload: { issuer: string; platform: string; subject: string | null } | null
  deployment_id: string | null
  deployment_status: 'enabled' | 'disabled' | null
  /** Null while it is enabled, or if the time is unknown. */
  deployment_disabled_at: number | null
  deployment_deleted_at: number | null
  /** False as well once the deployment is deleted. */
  is_authorized: boolean
  /** Null while it is authorized, or if the time is unknown. */
  authorization_ended_at: number | null
  bound_by: 'provider' | 'bearer' | null
  /** The link named an origin at a domain that the provider no longer proves. */
  is_origin_lost: boolean
}

/** A fact in the transparency log, by subject and name. */
export interface NamedFact {
  subject: string
  fact: string
  /** The types that its last entry may have if the verdict is right; with an empty one, the log may also have no entry, or one that ended it. */
  types?: readonly string[]
  /** When it began, in milliseconds, if it can end and begin again. */
  since?: number | null
}

export interface Verdict {
  result: Result
  strength: Strength
  reason: Reason | null
  change: Change | null
  checks: Check[]
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `21 Nov 2026, 09:05 UTC`, as the pages write it. */
const readable = (at: number) => {
  const text = timeOf(at)
  return `${Number(text.slice(8, 10))} ${months[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}, ${text.slice(11, 16)} UTC`
}

const methodWords = { dns: 'a DNS record', file: 'a file on its website' } as const

/** The issuer is always named with what it said. */
export const workloadClaims = (workload: { issuer: string; subject: string | null } | null) =>
  workload && { workload_issuer: workload.issuer, workload_subject: workload.subject }

const proofWords = {
  mtls: 'in a TLS handshake with this registry',
  proxy: 'in a TLS handshake with a trusted proxy',
  signed: 'by a signature of its request',
  workload: 'by a signature, with a key for which its platform vouched,',
} as const

/** The subset of facts that determines the verdict. */
export type DecidingFacts = Pick<
  LinkFacts,
  | 'issued_at'
  | 'expires_at'
  | 'minted_domain'
  | 'key_state'
  | 'provider_gone'
  | 'is_suspended'
  | 'is_api_key_compromised'
  | 'domain_verified_at'
  | 'domain_stale_since'
  | 'model_deleted'
  | 'model_archived_at'
  | 'bundle_status'
  | 'binding'
  | 'deployment_id'
  | 'deployment_status'
  | 'deployment_disabled_at'
  | 'deployment_deleted_at'
  | 'is_authorized'
  | 'authorization_ended_at'
>

/** How far the clocks of replicas may differ. */
const clockToleranceMs = 5_000

/** Minted while a clock was wrong. Otherwise it would be valid for its 15 minutes and for as long as the clock was ahead. */
const isFromFuture = ({ issued_at }: Pick<LinkFacts, 'issued_at'>, now: number) => issued_at > now + clockToleranceMs

/** What makes a link invalid before it expires, and when that happened; null if that is unknown. */
type End<Ended extends Change = Change> = readonly [change: Ended, at: number | null]

/** The earliest first: it ended the link, and what came later changed nothing. An unknown time may be earlier than all others. */
const inOrder = <Ended extends Change>(ends: readonly End<Ended>[]) =>
  ends.toSorted(([, a], [, b]) => (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY) || 0)

const deploymentEndsOf = (facts: DecidingFacts) => {
  const ends: End<'deployment_deleted' | 'deployment_disabled' | 'authorization_removed'>[] = []
  if (facts.deployment_id === null) return ends
  const { deployment_deleted_at, deployment_disabled_at, authorization_ended_at } = facts
  if (deployment_deleted_at !== null) ends.push(['deployment_deleted', deployment_deleted_at])
  if (facts.deployment_status !== 'enabled') ends.push(['deployment_disabled', deployment_disabled_at])
  // Deleting a deployment takes its authorizations with it.
  if (!facts.is_authorized && (deployment_deleted_at === null || authorization_ended_at !== null))
    ends.push(['authorization_removed', authorization_ended_at])
  return inOrder(ends)
}

const endsOf = (facts: DecidingFacts): readonly End[] => {
  const ends: End[] = []
  if (facts.model_archived_at !== null) ends.push(['model_archived', facts.model_archived_at])
  // The time of its last check moves with each check.
  if (facts.bundle_status === 'invalid') ends.push(['bundle_invalid', null])
  return inOrder([...ends, ...deploymentEndsOf(facts)])
}

/** Why an issued link is not valid now; the first match decides. */
const changeOf = (facts: DecidingFacts, now: number): Change | null => {
  if (facts.is_suspended || facts.key_state === 'suspended') return 'suspended'
  if (facts.provider_gone) return facts.provider_gone === 'deleted' ? 'provider_deleted' : 'provider_deactivated'
  if (facts.model_deleted) return 'model_deleted'
  if (facts.key_state === 'compromised' || facts.key_state === null) return 'key_compromised'
  if (facts.is_api_key_compromised) return 'api_key_compromised'
  const ends = endsOf(facts)
  const first = ends[0]?.[0] ?? null
  if (facts.expires_at > now && !isFromFuture(facts, now)) return first
  // What came later did not end it. A link of a model whose signature is invalid may never have been valid.
  return ends.some(([change, at]) => change === 'bundle_invalid' || (at !== null && at < facts.expires_at))
    ? first
    : 'expired'
}

export const isProven = (binding: Binding | null): binding is DeploymentProof =>
  binding !== null && binding in proofWords

/** Both at minting and now: only then do the online and the offline answer agree. A proof that could not be checked does not count. */
const isDomainVerified = (facts: DecidingFacts) =>
  facts.minted_domain !== null && facts.domain_verified_at !== null && facts.domain_stale_since === null

const domainDetail = (facts: LinkFacts): string => {
  const { domain, minted_domain, domain_verified_at, domain_stale_since, domain_checked_at, domain_method, issued_at } =
    facts
  if (domain === null || domain_verified_at === null || domain_method === null) {
    return minted_domain === null
      ? `This provider has not proven control of ${domain ?? 'a domain'}.`
      : `The provider had proven ${minted_domain} when this link was issued. That proof no longer holds.`
  }
  const confirmed = domain_checked_at === null ? '' : ` It was last confirmed on ${readable(domain_checked_at)}.`
  if (minted_domain === null) {
    if (domain_stale_since === null) return 'This link was issued without a proven domain. Request a new link.'
    return issued_at < domain_stale_since
      ? 'This link was issued without a proven domain.'
      : `This link was issued while the proof of ${domain} could not be confirmed.${confirmed}`
  }
  if (domain_stale_since !== null)
    return `The proof that this provider controls ${domain} could not be confirmed.${confirmed}`
  return `The provider proved control of ${domain} by ${methodWords[domain_method]} on ${readable(domain_verified_at)}.${confirmed}`
}

/** The signer in a few words. Its identity is quoted, so that it cannot continue the sentence. */
export const quotedSigner = (signer: BundleSigner) => describeSigner(signer, quoteExactly)

type Finding = readonly [passed: boolean | null, detail: string]

const endedDetail = ([change, at]: ReturnType<typeof deploymentEndsOf>[number]): string => {
  const who = at === null ? 'The provider' : `On ${readable(at)}, the provider`
  if (change === 'deployment_deleted') return `${who} deleted the deployment that requested this link.`
  if (change === 'deployment_disabled') return `${who} disabled the deployment that requested this link.`
  return at === null
    ? 'The deployment that requested this link is no longer authorized for the model.'
    : `The deployment that requested this link has not been authorized for the model since ${readable(at)}.`
}

const deploymentCheck = (facts: LinkFacts): Finding => {
  if (facts.deployment_id === null) return [null, 'The caller named no deployment.']
  const [end] = deploymentEndsOf(facts)
  if (end !== undefined) return [false, endedDetail(end)]
  if (!isProven(facts.binding)) return [null, 'A deployment was named by the caller, not proven.']
  if (facts.workload === null)
    return [
      true,
      `The server that requested this link proved ${proofWords[facts.binding]} that it holds a key approved for this model.`,
    ]
  const { platform, issuer, subject } = facts.workload
  const who = `${platform} (${issuer})`
  return [
    true,
    subject === null
      ? `${who} confirmed that this link was requested by a workload that the provider trusts for this model.`
      : `${who} said that the server that requested this link is ${quoteExactly(subject)}, which the provider trusts for this model.`,
  ]
}

/** The result of the last bundle check, and who signed. Without a proven domain, no signer is known to be a company's own. */
const bundleCheck = (facts: LinkFacts): Finding => {
  const { bundle_status, bundle_signer, bundle_reason, bundle_checked_at } = facts
  const by = bundle_signer === null ? '' : ` by ${bundle_signer}`
  const when = bundle_checked_at === null ? '' : `, as checked on ${readable(bundle_checked_at)}`
  switch (bundle_status) {
    case 'verified':
      if (!isDomainVerified(facts))
        return [
          null,
          `Signed${by}${when}. Its account declared this signer. No domain is proven for this link, so this does not show which company signed.`,
        ]
      return [true, `The digest was signed${by}, one of the signers of this provider${when}.`]
    case 'invalid':
      return [false, `The signature of the model file${by} is invalid${when}.`]
    case 'error':
      return [
        null,
        `The signature of the model file could not be checked${bundle_checked_at === null ? '' : ` on ${readable(bundle_checked_at)}`}.`,
      ]
    case 'unknown':
      if (bundle_reason === 'attestation_only')
        return [null, `Not signed. An attestation${by} describes the digest, but does not sign the model file${when}.`]
      if (bundle_reason === 'names_not_signed')
        return [null, `Only one digest of all files was signed${by}, not their names${when}.`]
      if (bundle_reason === 'signer_not_tied')
        return [
          null,
          `Signed by a third party: ${bundle_signer ?? 'an unknown key'}. The provider has not proven that this signer is its own${when}.`,
        ]
      return [
        null,
        bundle_signer
          ? `Signed${by}; it has not been confirmed that this is the right signer${when}.`
          : 'No signature of the model file has been checked.',
      ]
    default:
      return bundle_status satisfies never
  }
}

const keyCheck = (facts: LinkFacts): Finding => {
  if (facts.key_state === null) return [false, 'The key that signed it is no longer known here.']
  if (facts.key_state === 'compromised') return [false, 'The key that signed it was compromised.']
  if (facts.is_api_key_compromised)
    return [false, 'The provider reported the access key that requested this link as leaked.']
  return [true, 'The key that signed it is trusted.']
}

const timeCheck = (facts: LinkFacts, now: number): Finding =>
  isFromFuture(facts, now)
    ? [false, `It was issued at ${readable(facts.issued_at)}, while the registry’s clock was wrong.`]
    : facts.expires_at <= now
      ? // It may have ended before, without a trace: a deployment that was disabled and enabled again.
        [false, `Its 15 minutes ended on ${readable(facts.expires_at)}.`]
      : [true, `It expires on ${readable(facts.expires_at)}.`]

const providerCheck = (facts: LinkFacts): Finding =>
  facts.provider_gone === null
    ? [true, 'The provider account is active.']
    : [false, 'The provider account is no longer active.']

const modelCheck = (facts: LinkFacts): Finding => {
  if (facts.model_deleted) return [false, 'The model was deleted.']
  if (facts.model_archived_at !== null) return [false, 'The provider withdrew this version of the model.']
  if (facts.model_superseded_at !== null)
    return [true, 'The model is registered and not withdrawn; a newer version has superseded this one.']
  return [true, 'The model is registered and not withdrawn.']
}

const digestCheck = (facts: LinkFacts): Finding => [
  null,
  facts.model_digest === null
    ? 'The provider stated no digest of the model file.'
    : 'The provider states this digest of the model file; the registry has not seen the file.',
]

const answerCheck = (facts: LinkFacts): Finding => [
  null,
  facts.bound_by === null
    ? 'No answer is bound to this link.'
    : facts.bound_by === 'provider'
      ? 'An answer is bound to this link. Compare it with the one you received.'
      : 'Someone who had this link attached a text. That does not show that the model wrote it.',
]

/** Every check, passed or not; checks that were not made are `passed: null`. */
const checksOf = (facts: LinkFacts, now: number): Check[] => {
  const findings = {
    signature: [true, 'This registry issued it, and it has not been changed since.'],
    key: keyCheck(facts),
    time: timeCheck(facts, now),
    provider: providerCheck(facts),
    domain: [isDomainVerified(facts), domainDetail(facts)],
    model: modelCheck(facts),
    deployment: deploymentCheck(facts),
    digest: digestCheck(facts),
    bundle: bundleCheck(facts),
    answer: answerCheck(facts),
    chat: [
      null,
      `We cannot see your chat. Anyone who has this link can pass it on.${facts.is_origin_lost ? ' The website that it named for the chat is no longer proven to be the provider’s.' : ''}`,
    ],
  } as const satisfies Partial<Record<CheckName, Finding>>
  const lookedAt = timeOf(now)
  return Object.entries(findings).map(([check, [passed, detail]]) => ({
    check: check as CheckName,
    passed,
    detail,
    checked_at: passed === null ? null : lookedAt,
  }))
}

const logWords = {
  logged: 'Every fact behind this link is in the public log',
  being_logged: 'A fact behind this link is being added to the public log. That takes less than a minute.',
  logged_privately: 'A fact behind this link is in the public log, but only as a hash: the model is private.',
  not_logged: 'A fact behind this link is not in the public log.',
  could_not_check: 'The public log could not be read.',
} as const satisfies Record<LinkLog['state'], string>

/** Adds the check of the transparency log. It never fails: without a policy of the reader, the log decides nothing. */
export const withLogCheck = (checks: readonly Check[], { state, is_witnessed }: LinkLog, now: number): Check[] => {
  const seen = is_witnessed ? 'which the witnesses of this registry have seen.' : 'seen by no one else.'
  const isLogged = state === 'logged'
  const log: Check = {
    check: 'log',
    passed: isLogged ? true : null,
    detail: isLogged ? `${logWords.logged}, ${seen}` : logWords[state],
    checked_at: isLogged ? timeOf(now) : null,
  }
  const after = checks.findIndex(({ check }) => check === 'bundle') + 1
  return checks.toSpliced(after, 0, log)
}

/** Revealing more could publish what its owner deleted after the backup. */
const suspendedCheck = (now: number): Check => ({
  check: 'provider',
  passed: false,
  detail: 'The registry was restored from a backup, and this link has not been confirmed since.',
  checked_at: timeOf(now),
})

/** Nothing but the change may be shown. */
export const isHidden = (change: Change | null): boolean => change === 'suspended' || isGone(change)

/** Whether the model or provider was deleted. */
const isGone = (change: Change | null): change is GoneChange => change !== null && change in goneChanges

/** The verdict on an issued link by the live state behind it, and the reason. */
export const decideLink = (facts: DecidingFacts, now: number): Omit<Verdict, 'checks'> => {
  const change = changeOf(facts, now)
  if (change) return { result: 'not_verified', strength: null, reason: reasonOfChange[change], change }
  if (!isDomainVerified(facts))
    return { result: 'not_verified', strength: null, reason: 'provider_unverified', change: null }
  return {
    result: 'verified',
    strength: isProven(facts.binding) ? 'deployment' : 'provider',
    reason: null,
    change: null,
  }
}

/** The verdict with its checks. It is verified only if no check failed. */
export const evaluateLink = (facts: LinkFacts, now: number): Verdict => {
  const verdict = decideLink(facts, now)
  const { change } = verdict
  if (change === 'suspended') return { ...verdict, checks: [suspendedCheck(now)] }
  const checks = checksOf(facts, now)
  // Reveal only that it was deleted.
  return { ...verdict, checks: isGone(change) ? checks.filter(({ check }) => check === goneChanges[change]) : checks }
}

/** The problem's code for a rejected link. A genuine link of an unknown provider is not rejected. */
export const linkErrorCode = ({ reason, change }: Pick<Verdict, 'reason' | 'change'>): LinkErrorCode | undefined => {
  if (reason === null || reason === 'provider_unverified') return undefined
  return isGone(change) ? 'link_gone' : linkErrorOf[reason]
}

export const linkWords = {
  link_malformed: 'This is not a verification link.',
  link_mistyped: 'A character of this link is wrong. Copy it again from the chat.',
  link_forged: 'This token was not issued by this registry, or it was changed.',
  link_unknown: 'No such link was issued here.',
  link_foreign: 'This link belongs to another registry.',
  link_expired: 'This link has expired. Links are valid for 15 minutes; ask for a new one.',
  link_revoked: 'This link has been revoked.',
  link_suspended: 'The registry was restored from a backup, and the provider has not confirmed this link since.',
  link_archived: 'The provider withdrew this version of the model.',
  link_gone: 'The model or provider associated with this verification no longer exists.',
  could_not_check: 'The link could not be checked right now. It may be good or bad; try again in a moment.',
} as const satisfies Record<LinkErrorCode, string>

export const statusOf = ({ result, reason }: Pick<Verdict, 'result' | 'reason'>) =>
  result === 'verified'
    ? ('verified' as const)
    : reason === 'provider_unverified'
      ? ('provider_unverified' as const)
      : ('not_verified' as const)
