// Reads open reports (`countersign incidents list --json`) and writes one decision per line for each report that a rule covers. People
// answer the others: `countersign incidents triage`.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Incident, IncidentResponse } from '@countersign/sdk/contract'

type Rule = (incident: Incident, all: readonly Incident[]) => IncidentResponse | undefined

const rules: readonly Rule[] = [
  // Acknowledge serious reports with a link at once.
  ({ is_verified_report, severity }) =>
    is_verified_report && (severity === 'critical' || severity === 'high')
      ? { status: 'investigating', response: 'Thank you for your report. Our team on duty is looking into it.' }
      : undefined,
  // Dismiss repeated reports without a link; the first one stays open.
  (incident, all) => {
    const first = all
      .filter((other) => isSame(other, incident))
      .toSorted((left, right) => left.id.localeCompare(right.id))[0]
    return incident.is_verified_report || first === undefined || first.id === incident.id
      ? undefined
      : { status: 'dismissed', response: `This repeats the report ${first.id}, which is answered there.` }
  },
]

const isSame = (left: Incident, right: Incident) =>
  left.model_id === right.model_id && left.title === right.title && left.description === right.description

const { incidents } = JSON.parse(readFileSync(0, 'utf8')) as { incidents: Incident[] }
const lines = incidents.flatMap((incident) => {
  const decision = rules.map((rule) => rule(incident, incidents)).find((found) => found !== undefined)
  return decision === undefined ? [] : [`${JSON.stringify({ id: incident.id, ...decision })}\n`]
})
writeFileSync(1, lines.join(''))
