import type { Check, CheckName, LaterChange, VerificationResult } from '../contract/verifications.ts'
import type { Outcome, Step, Verdict } from '../verify/verdict.ts'
import { linkWords } from './link-words.ts'
import { quote } from './quotation.ts'
import type { ShapeName } from './shapes.ts'

const words = linkWords

/** The state of a link on its page: the verdict's outcome, or a company whose proof is stale. */
export type LinkState = Outcome | 'domain_stale'

const shownStates = ['verified', 'provider_only', 'provider_unverified', 'domain_stale', 'check_failed'] as const

/** A known link that has not expired. All other states are failures, or no answer. */
export type ShownState = (typeof shownStates)[number]
/** A state of a link that is not good. */
export type FailureState = Exclude<LinkState, ShownState>

/** Whether a link is known and has not expired. */
export const isShown = (state: LinkState): state is ShownState => (shownStates as readonly LinkState[]).includes(state)

/** The state of a link for its page. */
export const linkStateOf = ({ outcome, steps }: Verdict): LinkState =>
  outcome === 'provider_unverified' && steps.provider.words === 'domain_stale' ? 'domain_stale' : outcome

/** The colour of a state. */
export type LinkTone = 'ok' | 'info' | 'warn' | 'bad' | 'unk'

/** The colour of each state: green if company and server are proven, blue if only the company is. */
export const linkTones = {
  verified: 'ok',
  provider_only: 'info',
  provider_unverified: 'warn',
  domain_stale: 'warn',
  check_failed: 'bad',
  expired: 'bad',
  revoked: 'bad',
  archived: 'bad',
  gone: 'bad',
  mistyped: 'warn',
  malformed: 'warn',
  not_found: 'bad',
  forged: 'bad',
  foreign: 'warn',
  refused: 'bad',
  could_not_check: 'unk',
} as const satisfies Record<LinkState, LinkTone>

/** The shape of each state, to recognise it without colour. */
export const shapeOf = (state: LinkState): ShapeName => {
  if (state === 'verified') return 'proven'
  if (state === 'provider_only' || state === 'domain_stale') return 'stated'
  if (state === 'provider_unverified' || state === 'could_not_check') return 'missing'
  return linkTones[state] === 'bad' ? 'failed' : 'notice'
}

/** The text next to the band's own. */
export const sealOf = (state: LinkState): string | undefined => {
  if (state === 'verified') return words.seals.verified
  return isShown(state) || state === 'could_not_check' ? undefined : words.seals.failed
}

/** The model’s name with its version. */
export const modelTitle = ({ model }: VerificationResult): string =>
  model === null ? '' : `${model.name} ${model.version}`

/** The domain that requested a link, if it is or was proven; otherwise null. */
export const requesterOf = (
  state: LinkState,
  provenDomain: string | null,
  { provider }: VerificationResult,
): string | null => provenDomain ?? (state === 'domain_stale' ? (provider?.domain ?? null) : null)

/** `12 Nov 2026`, in UTC. */
const dayOf = (time: string | number): string => {
  const text = new Date(time).toUTCString()
  return `${Number(text.slice(5, 7))} ${text.slice(8, 16)}`
}

/** `checked today`, by the registry's clock. */
const whenOf = (at: string, checkedAt: string): string => {
  const day = dayOf(at)
  if (day === dayOf(checkedAt)) return words.checked.today
  return day === dayOf(Date.parse(checkedAt) - 86_400_000) ? words.checked.yesterday : words.checked.on(day)
}

/** The sentence of a step. */
export const stepText = ({ words: key, at }: Step, record: VerificationResult, isKnown: boolean): string =>
  words.steps.words[key]({
    ...record.deployment_info?.workload,
    domain: record.provider?.domain ?? '',
    when: at === null ? words.checked.before : whenOf(at, record.checked_at),
    isKnown,
  })

/** The requester of a link, and the model. Only a proven domain is shown without quotation marks. */
export const headingOf = (state: ShownState, record: VerificationResult): [who: string, which: string | null] => {
  if (state === 'check_failed') return [words.doNotRely, null]
  if (state === 'provider_unverified') {
    const name = record.provider?.name ?? null
    return [words.about.claimant(name && quote(name)), null]
  }
  return [record.provider?.domain ?? '', quote(modelTitle(record))]
}

/** Quotes names and addresses that the provider chose. A path of its website could name another company. */
const shownValue = (field: LaterChange['field'], value: string | null) => {
  if (value === null) return words.about.nothing
  if (field === 'provider.domain') return value
  // `sha256:` and eight digits, because two full digests fill a phone's first screen.
  if (field === 'model.model_digest') return `${value.slice(0, 15)}…`
  return quote(field === 'provider.website' ? value.replace(/\b\/.+/, '/…') : value)
}

/** Notes on the model and the company, including changes since the link was made. */
export const notesOf = ({ model, provider, is_origin_lost, later_changes }: VerificationResult): string[] => [
  ...(is_origin_lost ? [words.about.originLost] : []),
  ...(provider?.similar_name_domain ? [words.about.similarName(provider.similar_name_domain)] : []),
  ...(model?.superseded_at ? [words.about.superseded] : []),
  ...(later_changes ?? [])
    .filter(({ field }) => Object.hasOwn(words.about.fields, field))
    .map(({ field, minted, now }) =>
      words.about.changed(words.about.fields[field], shownValue(field, minted), shownValue(field, now)),
    ),
]

/** The heading for a link that proves nothing. */
export const failureHeading = (state: FailureState): string =>
  linkTones[state] === 'bad' ? words.doNotRely : words.failure.what[state]

/** What happened to a link that proves nothing, most important sentence first. */
export const failureSentences = (state: FailureState, { change }: Pick<Verdict, 'change'>): readonly string[] => {
  const changed = change !== null && Object.hasOwn(words.failure.changed, change) ? words.failure.changed[change] : null
  if (changed) return changed
  return linkTones[state] === 'bad' ? [words.failure.what[state]] : []
}

/** Who requested a link that proves nothing, or with whose leaked key, and for which model. */
export const requestSentence = (
  record: VerificationResult,
  { domain, change }: Pick<Verdict, 'domain' | 'change'>,
): string => {
  const { wasFor, wasClaimed, by, byKey } = words.failure
  const how = change === 'api_key_compromised' ? byKey : by
  const model = quote(modelTitle(record))
  return domain === null ? wasClaimed(how, model) : wasFor(how, domain, model)
}

/** When a link expired or was cancelled; null if the record does not have that time. */
export const endedAtOf = ({
  record,
  outcome,
  change,
}: Pick<Verdict, 'record' | 'outcome' | 'change'>): string | null => {
  if (record === null) return null
  if (outcome === 'expired') return record.expires_at
  const { model } = record
  // An invalid signature may have ended it before: only its last check has a time.
  return change === 'model_archived' && model?.bundle_status !== 'invalid' ? (model?.archived_at ?? null) : null
}

/** What the link does not prove. An address counts only from a known provider. */
export const limitsOf = ({ challenge, origin }: VerificationResult, domain: string | null): string[] => {
  const { chat, phrase, origin: compare, items } = words.limits
  const copied = [chat, challenge && phrase, origin && domain !== null && compare(origin)].filter(Boolean).join(' ')
  return [copied, ...items]
}

/* ---- checks ---- */

/** A newer registry may have checks without a name here. */
export const checkName = (check: string): string =>
  Object.hasOwn(words.checks.names, check) ? words.checks.names[check as CheckName] : check

/** A row in the list of checks. */
export interface CheckRow {
  /** The check, or `link` for all checks of the link itself. */
  about: CheckName | 'link'
  /** Null: not checked. */
  passed: boolean | null
  /** One sentence for people. */
  detail: string
}

const linkChecks: ReadonlySet<CheckName> = new Set(['format', 'signature', 'issuer', 'key', 'time'])

const rank = ({ passed }: Check) => (passed === false ? 0 : passed ? 1 : 2)

/**
 * One row for each check, failed first and open ones last. The checks of the link itself are one row while all of them
 * passed, because to a person they say one thing.
 */
export const checkRowsOf = (given: readonly Check[]): CheckRow[] => {
  const checks = given.toSorted((a, b) => rank(a) - rank(b))
  const aboutLink = checks.filter(({ check }) => linkChecks.has(check))
  const areOne = aboutLink.length > 1 && aboutLink.every(({ passed }) => passed)
  const rows = (areOne ? checks.filter(({ check }) => !linkChecks.has(check)) : checks).map(
    ({ check, passed, detail }): CheckRow => ({ about: check, passed, detail }),
  )
  if (!areOne) return rows
  const link: CheckRow = { about: 'link', passed: true, detail: aboutLink.map(({ detail }) => detail).join(' ') }
  const afterFailed = rows.filter(({ passed }) => passed === false).length
  return rows.toSpliced(afterFailed, 0, link)
}

/** How many checks there are of each result. */
export interface CheckCounts {
  /** Failed checks. */
  failed: number
  /** Passed checks. */
  passed: number
  /** An unproven domain is not a failed check. */
  unproven: number
  /** Checks that were not made. */
  open: number
}

/** Counts the checks by result. */
export const countChecks = (rows: readonly CheckRow[]): CheckCounts => ({
  failed: rows.filter(({ about, passed }) => passed === false && about !== 'domain').length,
  passed: rows.filter(({ passed }) => passed).length,
  unproven: rows.filter(({ about, passed }) => passed === false && about === 'domain').length,
  // The log's state is shown in its own words.
  open: rows.filter(({ about, passed }) => passed === null && about !== 'log').length,
})
