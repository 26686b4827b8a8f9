import type { Incident, TrailEvent } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { facts, type Paint, printable } from '../../../render/output.ts'
import { quoteBlock, shownAddress } from '../../../render/quotation.ts'
import { shownTime } from '../../../render/shown-time.ts'
import { reporterOf } from '../reporter.ts'

interface StoryParts {
  incident: Incident
  /** Position, such as `2 of 7`. */
  place: string
  earlier: readonly TrailEvent[]
  paint: Paint
  columns: number
}

/** Everything known about a report, in the order that a decision needs it. */
export const storyOf = ({ incident, place, earlier, paint, columns }: StoryParts): string =>
  [
    `${paint.dim(`── ${place} ──`)} ${weightOf(incident, paint)}`,
    quoteBlock(incident.title, columns, '  ┃ '),
    '',
    facts(factsOf(incident), { ...paint, columns }),
    '',
    quoteBlock(incident.description, columns),
    ...answersOf(incident, earlier).flatMap(({ head, text }) => [
      '',
      paint.dim(head),
      ...(text === null ? [] : [quoteBlock(text, columns)]),
    ]),
  ].join('\n')

const weightOf = ({ is_verified_report, severity }: Incident, paint: Paint) => {
  const severityText = `${printable(severity)}, ${is_verified_report ? 'came with a link' : 'without a link'}`
  return severity === 'critical'
    ? paint.red(severityText)
    : severity === 'high'
      ? paint.yellow(severityText)
      : severityText
}

const factsOf = (incident: Incident) =>
  [
    ['incident', incident.id],
    ['model', `${quote(incident.model_name)} (${incident.model_id})`],
    ['category', incident.category.replace('_', ' ')],
    ['reporter', reporterOf(incident)],
    ['reported', shownTime(incident.created_at)],
    ['status', `${incident.status}, ${incident.counts_publicly ? 'counts publicly' : 'does not count publicly'}`],
    ['reference', incident.reference_url && shownAddress(incident.reference_url)],
    ['screenshot', incident.screenshot_url && shownAddress(incident.screenshot_url)],
  ] as const

/** Earlier answers, oldest first; only the last one if the trail could not be read. */
const answersOf = (
  { provider_response }: Incident,
  earlier: readonly TrailEvent[],
): { head: string; text: string | null }[] => {
  if (earlier.length === 0)
    return provider_response === null ? [] : [{ head: 'Previous answer:', text: provider_response }]
  return earlier.map(({ at, action, actor_name, after }) => ({
    head: `${printable(action.replace('incident.', ''))}, ${shownTime(at)}${actor_name === null ? '' : `, by ${quote(actor_name)}`}:`,
    text: typeof after === 'object' && after !== null && 'response' in after ? String(after.response) : null,
  }))
}
