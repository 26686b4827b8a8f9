import type { Incident } from '@countersign/sdk/contract'
import type { Answer } from './answers.ts'

type Id = Incident['id']

/** What was done, as `--json` prints it. */
export interface Tally {
  answered: Record<Answer, Id[]>
  duplicates_dismissed: Id[]
  skipped: Id[]
  closed_by_others: Id[]
  /** Reports still open, including skipped ones. */
  left: number
}

export const emptyTally = (): Tally => ({
  answered: { investigating: [], resolved: [], dismissed: [] },
  duplicates_dismissed: [],
  skipped: [],
  closed_by_others: [],
  left: 0,
})

/** Reports that this round closed, or found closed. */
export const closedIn = ({ answered, duplicates_dismissed, closed_by_others }: Tally): ReadonlySet<Id> =>
  new Set([...answered.resolved, ...answered.dismissed, ...duplicates_dismissed, ...closed_by_others])

export const summaryOf = ({ answered, duplicates_dismissed, skipped, closed_by_others, left }: Tally): string => {
  const counts = [
    ...Object.entries(answered).map(([status, ids]) => [ids.length, status] as const),
    [duplicates_dismissed.length, 'dismissed as duplicates'],
    [new Set(skipped).size, 'skipped'],
    [closed_by_others.length, 'closed by someone else'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return `${parts.length === 0 ? 'Nothing answered' : parts.join(', ')}; ${left === 0 ? 'none' : left} left.`
}
