import type { TrailAction, TrailSubject } from '@countersign/sdk/contract'
import type { ActivityQuery } from './own-activity.ts'

/** The filters in the address; empty if unset. Days are `YYYY-MM-DD`, and the last day is included. */
export interface ActivityFilters {
  kind: string
  action: string
  id: string
  since: string
  until: string
}

const dayMs = 86_400_000
export const maxId = 80

const midnight = (day: string, laterMs: number): string | undefined => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time + laterMs).toISOString()
}

export const queryOf = ({ kind, action, id, since, until }: ActivityFilters): Omit<ActivityQuery, 'sort'> => ({
  subject_type: kind === 'all' ? undefined : (kind as TrailSubject),
  action: action === 'all' ? undefined : (action as TrailAction),
  subject_id: id.slice(0, maxId) || undefined,
  since: midnight(since, 0),
  until: midnight(until, dayMs),
})
