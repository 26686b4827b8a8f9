import { type IncidentStatus, invalidField, type NewIncident, Refusal } from '@countersign/sdk/contract'
import { parse } from 'tldts'

/** More addresses than an honest report needs; advertisements need many. */
const maxLinks = 10

/** Mails at once about one provider's models in an hour; what comes on top waits for the digest. */
const maxAlertsPerHour = 10
const maxUnverifiedAlertsPerHour = 2

/** Mails to one reporter in an hour: the address is what somebody typed. */
export const maxAnswersPerHour = 3

const withScheme = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/,;|"'<>()]*/gi
/** Not within another word, an e-mail address or the path of an address. */
const bareHost = /(?<![\p{L}\p{M}\p{N}@/._-])(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]{2,}/gu

/** A name that one could open: under a public suffix, or under one that is kept for examples (RFC 2606 §2). */
const isHost = (name: string): boolean => {
  const { domain, isIcann, isPrivate } = parse(name)
  return domain !== null && (isIcann === true || isPrivate === true || /\.(?:example|test)$/i.test(name))
}

const countLinks = (text: string): number => {
  const bare = text.replace(withScheme, ' ').match(bareHost) ?? []
  return (text.match(withScheme)?.length ?? 0) + bare.filter((name) => /^www\./i.test(name) || isHost(name)).length
}

/** Why a report is not taken, as far as its text tells. */
export const reportRefusal = ({ title, description }: Pick<NewIncident, 'title' | 'description'>): Refusal | undefined =>
  countLinks(`${title}\n${description}`) > maxLinks ? invalidField('description', `A report has at most ${maxLinks} links`) : undefined

export interface Alerts {
  /** Mails at once in the last hour, and those of them about reports without a link. */
  all: number
  unverified: number
}

type Weight = { is_verified_report: boolean } & Pick<NewIncident, 'severity'>

/** Whether the provider is told at once. Anyone may call a report critical, so few of those go out alone. */
export const isToldAtOnce = ({ is_verified_report, severity }: Weight, alerts: Alerts): boolean =>
  alerts.all < maxAlertsPerHour && (is_verified_report || (severity === 'critical' && alerts.unverified < maxUnverifiedAlertsPerHour))

/** Why an incident that is there takes no answer. */
export const answerRefusal = (status: IncidentStatus): Refusal =>
  new Refusal('incident_closed', `This incident was ${status}; that is final.`)

/* ---- words of mails ---- */

type Kind = Pick<NewIncident, 'category' | 'severity'>

export const wordsOf = ({ category, severity }: Kind): string => `${category.replace('_', ' ')}, severity ${severity}`

const maxTitles = 10

/** What a digest says: how many there are, and the first of them. */
export const digestLines = (reports: readonly (Kind & { id: string; title: string })[]): (string | { quote: string })[] => {
  const rest = reports.length - maxTitles
  return [
    reports.length === 1
      ? 'One of your models was reported since the last mail.'
      : `${reports.length} reports about your models came in since the last mail.`,
    ...reports
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, maxTitles)
      .flatMap(({ title, ...kind }) => [`${wordsOf(kind)}:`, { quote: title }]),
    ...(rest > 0 ? [`And ${rest} more.`] : []),
  ]
}
