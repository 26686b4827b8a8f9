import type { Change, Check, LinkErrorCode, Reason, VerificationResult } from '@countersign/sdk/contract'
import { readVerdict, type Verdict } from '@countersign/sdk/verify'
import {
  checkName,
  checkRowsOf,
  countChecks,
  endedAtOf,
  type FailureState,
  failureHeading,
  failureSentences,
  headingOf,
  isShown,
  type LinkState,
  limitsOf,
  linkStateOf,
  linkTones,
  linkWords,
  modelTitle,
  notesOf,
  plainLinkWords,
  quote,
  requesterOf,
  requestSentence,
  type ShapeName,
  type ShownState,
  sealOf,
  shapeOf,
  shapes,
  stepText,
} from '@countersign/sdk/words'
import { escapeMarkup, shownClock, shownTime } from './markup.ts'

/** Why a link is rejected, in the shape that the console reads. */
export interface LinkRefusal {
  code: LinkErrorCode
  reason: Reason | null
  change: Change | null
  checks: readonly Check[]
  verification: VerificationResult | null
  /** The registry's words for it. */
  detail: string
}

/** What the registry says about a link at the moment of reading. */
export type LinkAnswer = { record: VerificationResult } | { refusal: LinkRefusal }

const words = linkWords

export const paragraph = (text: string, looks?: string) =>
  `<p${looks === undefined ? '' : ` class="${looks}"`}>${escapeMarkup(text)}</p>`
export const heading = (text: string, id?: string) =>
  `<h2${id === undefined ? '' : ` id="${id}"`}>${escapeMarkup(text)}</h2>`
const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

export const shape = (name: ShapeName, label?: string) => {
  const paths = shapes[name].map(({ d, paint }) => `<path d="${d}" data-paint="${paint}"/>`).join('')
  const role = label === undefined ? 'aria-hidden="true"' : `role="img" aria-label="${escapeMarkup(label)}"`
  return `<svg class="outcome-shape" data-shape="${name}" viewBox="0 0 20 20" ${role}>${paths}</svg>`
}

/** The first screen, in the console's design. */
const screen = (state: LinkState, content: readonly string[], seal = sealOf(state)) =>
  [
    `<div class="outcome" data-tone="${linkTones[state]}">`,
    `<p class="outcome-band">${shape(shapeOf(state))}<span>${escapeMarkup(words.bands[state])}</span>`,
    ...(seal === undefined ? [] : [`<span class="outcome-seal">${escapeMarkup(seal)}</span>`]),
    '</p>',
    ...content,
    '</div>',
  ].join('\n')

const checksId = 'checks'

/** How many checks passed, in one line, and the way to them. */
const checksSummary = (checks: readonly Check[]) =>
  checks.length === 0
    ? []
    : [
        `<p class="outcome-limit">${escapeMarkup(words.checks.summary(countChecks(checkRowsOf(checks))))}. <a class="link" href="#${checksId}">${escapeMarkup(words.checks.details)}</a></p>`,
      ]

const checkList = (checks: readonly Check[], record: VerificationResult | null): string[] => {
  const rows = checkRowsOf(checks)
  if (rows.length === 0) return []
  const { heading: name, passed, notChecked, notProven, failed, link, log } = words.checks
  const items = rows.map((row) => {
    const open = row.about === 'log' && record !== null ? log[record.log.state] : notChecked
    const outcome =
      row.passed === true ? passed : row.passed === null ? open : row.about === 'domain' ? notProven : failed
    const what = row.about === 'link' ? link : checkName(row.about)
    return `<strong>${escapeMarkup(outcome)}</strong> ${escapeMarkup(`${what}. ${row.detail}`)}`
  })
  return [`<details id="${checksId}">\n<summary>${escapeMarkup(name)}</summary>\n${list(items)}\n</details>`]
}

const steps = ({ steps, domain }: Verdict, record: VerificationResult): string => {
  const items = (['provider', 'server', 'model_file'] as const).map((name) => {
    const step = steps[name]
    return `<li class="outcome-step" data-step="${name}" data-step-state="${step.state}">${shape(step.state, words.steps.states[step.state])}
<strong>${escapeMarkup(words.steps.names[name])}</strong>
<span>${escapeMarkup(stepText(step, record, domain !== null))}</span></li>`
  })
  return `<ol class="outcome-steps" aria-label="${escapeMarkup(words.steps.label)}">\n${items.join('\n')}\n</ol>`
}

const phraseBox = ({ challenge, origin }: VerificationResult, domain: string | null): string[] => {
  const shownOrigin = domain === null ? null : origin
  if (challenge === null && shownOrigin === null) return []
  const { isYours, phrase, origin: trustOnly, originWhy } = words.match
  return [
    '<div class="outcome-match">',
    ...(challenge === null
      ? []
      : [`<p>${escapeMarkup(isYours)} <strong>${escapeMarkup(quote(challenge))}</strong></p>`, paragraph(phrase)]),
    ...(shownOrigin === null
      ? []
      : [
          `<p><strong>${escapeMarkup(trustOnly(shownOrigin))}</strong></p>`,
          ...(challenge === null ? [paragraph(originWhy)] : []),
        ]),
    '</div>',
  ]
}

const matchId = 'match'

const aboutOf = (state: ShownState, record: VerificationResult, domain: string | null): string => {
  const { requestedBy, requestedFor, expiresAt, company } = words.about
  const { provider, timestamp, expires_at } = record
  const at = shownClock(timestamp)
  const requester = requesterOf(state, domain, record)
  return [
    state === 'check_failed' ? words.doNotRelyWhy : null,
    requester === null ? requestedFor(quote(modelTitle(record)), at) : requestedBy(requester, at),
    expiresAt(shownClock(expires_at)),
    requester === null || !provider?.name ? null : company(quote(provider.name)),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ')
}

const headingMarkup = (state: ShownState, record: VerificationResult) => {
  const [who, which] = headingOf(state, record)
  const model = which === null ? '' : ` <bdi class="outcome-which">${escapeMarkup(which)}</bdi>`
  return `<h1 class="outcome-who"><bdi>${escapeMarkup(who)}</bdi>${model}</h1>`
}

const strengthMarkup = (
  state: Exclude<ShownState, 'check_failed'>,
  verdict: Verdict,
  record: VerificationResult,
): string[] => {
  const { howToBeSure, whatToDo } = words.limit
  const next = verdict.domain === null ? whatToDo : howToBeSure
  return [
    ...phraseBox(record, verdict.domain),
    steps(verdict, record),
    `<p class="outcome-limit">${escapeMarkup(words.limit[state])} <a class="link" href="#${matchId}">${escapeMarkup(next)}</a></p>`,
  ]
}

const failedChecks = ({ checks }: Verdict) =>
  list(
    checks
      .filter(({ passed }) => passed === false)
      .map(({ check, detail }) => `<strong>${escapeMarkup(checkName(check))}.</strong> ${escapeMarkup(detail)}`),
  )

const matchMarkup = ({ challenge, origin }: VerificationResult, domain: string | null) => {
  const { heading: name, unknown, forwarded, comparePhrase, givePhrase, compareOrigin } = words.chat
  return [
    heading(name, matchId),
    ...(domain === null ? [paragraph(unknown)] : []),
    paragraph(forwarded),
    paragraph(challenge ? comparePhrase : givePhrase),
    ...(domain !== null && origin ? [paragraph(compareOrigin(origin))] : []),
  ]
}

const shownPage = (state: ShownState, verdict: Verdict, record: VerificationResult, seal?: string): string => {
  const { domain } = verdict
  const isFailed = state === 'check_failed'
  return [
    screen(
      state,
      [
        headingMarkup(state, record),
        paragraph(aboutOf(state, record, domain), 'outcome-about'),
        ...notesOf(record).map((note) => paragraph(note, 'outcome-about')),
        ...(isFailed ? [failedChecks(verdict)] : strengthMarkup(state, verdict, record)),
        ...checksSummary(verdict.checks),
      ],
      seal,
    ),
    ...(isFailed ? [] : matchMarkup(record, domain)),
    heading(words.limits.heading),
    list(limitsOf(record, domain).map(escapeMarkup)),
    ...checkList(verdict.checks, record),
  ].join('\n')
}

/** When it was checked, and how long a copy counts. */
const freshness = ({ checked_at, expires_at }: VerificationResult) => [
  paragraph(plainLinkWords.checked(shownTime(checked_at))),
  paragraph(plainLinkWords.copy(shownTime(expires_at))),
]

const whatItWas = (record: VerificationResult, verdict: Verdict) => {
  const { expired, cancelled, made } = words.failure
  const from = shownTime(record.timestamp)
  const endedAt = endedAtOf(verdict)
  const life =
    endedAt === null ? made(from) : (verdict.outcome === 'expired' ? expired : cancelled)(from, shownTime(endedAt))
  return `${requestSentence(record, verdict)} ${life}`
}

const failurePage = (state: FailureState, verdict: Verdict, issuer: string, seal?: string): string => {
  const { record, checks } = verdict
  const happened = failureSentences(state, verdict)
  const next = words.failure.next[state]
  return [
    screen(
      state,
      [
        `<h1 class="outcome-who">${escapeMarkup(failureHeading(state))}</h1>`,
        ...(happened.length === 0 ? [] : [paragraph(happened.join(' '), 'outcome-limit')]),
        ...(record === null ? [] : [paragraph(whatItWas(record, verdict), 'outcome-about')]),
        paragraph(typeof next === 'string' ? next : next(new URL(issuer).host), 'outcome-limit'),
        `<p class="outcome-limit"><strong>${escapeMarkup(state === 'could_not_check' ? words.failure.noVerdict : words.failure.noProof)}</strong></p>`,
        ...checksSummary(checks),
      ],
      seal,
    ),
    ...checkList(checks, record),
  ].join('\n')
}

/** If the registry cannot check a link now. */
export const nothingKnown = [
  screen('could_not_check', [
    `<h1 class="outcome-who">${escapeMarkup(words.failure.what.could_not_check)}</h1>`,
    paragraph(words.failure.noVerdict, 'outcome-limit'),
    paragraph(plainLinkWords.again, 'outcome-limit'),
  ]),
].join('\n')

/** A verdict as the link page shows it, with another text next to the result if `seal` is given. */
export const verdictMarkup = (verdict: Verdict, issuer: string, seal?: string): string => {
  const state = linkStateOf(verdict)
  if (!isShown(state)) return failurePage(state, verdict, issuer, seal)
  return verdict.record === null ? nothingKnown : shownPage(state, verdict, verdict.record, seal)
}

/**
 * The link page before its scripts have run, and for visitors without scripts: the same verdict, read when the page was requested.
 * `issuer` is the public address of this registry.
 */
export const linkSummary = (answer: LinkAnswer, issuer: string): string => {
  const isRecord = 'record' in answer
  const verdict = readVerdict(isRecord ? answer.record : answer.refusal, {
    issuer,
    at: isRecord ? Date.parse(answer.record.checked_at) : 0,
  })
  const { record } = verdict
  const isValid = isShown(linkStateOf(verdict)) && record !== null
  return [verdictMarkup(verdict, issuer), ...(isValid ? freshness(record) : [])].join('\n')
}
