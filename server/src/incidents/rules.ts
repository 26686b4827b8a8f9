import { type IncidentStatus, invalidField, type NewIncident, Refusal } from '@countersign/sdk/contract'
import { parse } from 'tldts'

/** More addresses than an honest report needs; spam needs many. */
const maxLinks = 10

/** Immediate emails per hour about one provider's models; the rest waits for the digest. */
const maxAlertsPerHour = 10
const maxUnverifiedAlertsPerHour = 2

/** Emails per hour to one reporter: the address may be someone else's. */
export const maxAnswersPerHour = 3

const withScheme = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/,;|"'<>()]*/gi
/** Not within another word, an email address or the path of an address. */
const bareHost = /(?<![\p{L}\p{M}\p{N}@/._-])(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]{2,}/gu

/** A name that a browser could open: under a public suffix, or under one reserved for examples (RFC 2606 §2). */
const isHost = (name: string): boolean => {
  const { domain, isIcann, isPrivate } = parse(name)
  return domain !== null && (isIcann === true || isPrivate === true || /\.(?:example|test)$/i.test(name))
}

const countLinks = (text: string): number => {
  const bare = text.replace(withScheme, ' ').match(bareHost) ?? []
  return (text.match(withScheme)?.length ?? 0) + bare.filter((name) => /^www\./i.test(name) || isHost(name)).length
}

/** Why the text of a report is rejected, if it is. */
export const reportRefusal = ({
  title,
  description,
}: Pick<NewIncident, 'title' | 'description'>): Refusal | undefined =>
  countLinks(`${title}\n${description}`) > maxLinks
    ? invalidField('description', `A report has at most ${maxLinks} links`)
    : undefined

export interface Alerts {
  /** Immediate emails in the last hour, and those of them about reports without a link. */
  all: number
  unverified: number
}

type Weight = { is_verified_report: boolean } & Pick<NewIncident, 'severity'>

/** Whether the provider is emailed at once. Anyone may call a report critical, so only a few of those are sent on their own. */
export const isEmailedAtOnce = ({ is_verified_report, severity }: Weight, alerts: Alerts): boolean =>
  alerts.all < maxAlertsPerHour &&
  (is_verified_report || (severity === 'critical' && alerts.unverified < maxUnverifiedAlertsPerHour))

/** Why an existing incident accepts no answer. */
export const answerRefusal = (status: IncidentStatus): Refusal =>
  new Refusal('incident_closed', `This incident was ${status}; that is final.`)

export interface Answered {
  status: IncidentStatus
  response?: string
}

/** The state of an incident after these answers, oldest first. Working on a report confirms it; dismissing it later does not undo this. */
export const stateAfter = (answers: readonly Answered[]) => ({
  status: answers.at(-1)?.status ?? ('reported' as const),
  provider_response: answers.findLast(({ response }) => response !== undefined)?.response ?? null,
  isConfirmed: answers.some(({ status }) => status !== 'dismissed'),
})

/* ---- words of emails ---- */

type Kind = Pick<NewIncident, 'category' | 'severity'>

export const wordsOf = ({ category, severity }: Kind): string => `${category.replace('_', ' ')}, severity ${severity}`

const maxTitles = 10

/** The text of a digest: the number of reports, and the first of them. */
export const digestLines = (
  reports: readonly (Kind & { id: string; title: string })[],
): (string | { quote: string })[] => {
  const rest = reports.length - maxTitles
  return [
    reports.length === 1
      ? 'One of your models was reported since the last email.'
      : `${reports.length} reports about your models arrived since the last email.`,
    ...reports
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, maxTitles)
      .flatMap(({ title, ...kind }) => [`${wordsOf(kind)}:`, { quote: title }]),
    ...(rest > 0 ? [`And ${rest} more.`] : []),
  ]
}
