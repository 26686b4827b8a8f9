import { type Incident, incidentSeverities } from '@countersign/sdk/contract'

export const isOpen = ({ status }: Pick<Incident, 'status'>) => status === 'reported' || status === 'investigating'

/** Order of urgency: link, severity, unanswered, oldest. */
export const inOrder = (incidents: readonly Incident[]) => incidents.toSorted(compare)

const compare = (left: Incident, right: Incident) =>
  compareWeight(left, right) ||
  Number(left.status === 'investigating') - Number(right.status === 'investigating') ||
  left.created_at.localeCompare(right.created_at) ||
  left.id.localeCompare(right.id)

/** Below 0 if the left one is more urgent. */
const compareWeight = (left: Incident, right: Incident) =>
  Number(right.is_verified_report) - Number(left.is_verified_report) ||
  incidentSeverities.indexOf(right.severity) - incidentSeverities.indexOf(left.severity)

/**
 * Reports with the same text about the same model: category, title and description are equal ignoring case, spaces and
 * punctuation. A report that is more urgent than the one it repeats, or under investigation, is not a duplicate.
 */
export const duplicatesOf = (incident: Incident, others: readonly Incident[]) => {
  const same = wordsOf(incident)
  return others.filter(
    (other) =>
      other.id !== incident.id &&
      other.status === 'reported' &&
      other.model_id === incident.model_id &&
      other.category === incident.category &&
      compareWeight(incident, other) <= 0 &&
      same !== '\n' &&
      wordsOf(other) === same,
  )
}

const wordsOf = ({ title, description }: Pick<Incident, 'title' | 'description'>) =>
  `${bare(title)}\n${bare(description)}`

const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{S}]+/gu, ' ')
    .trim()
