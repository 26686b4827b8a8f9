import type { ModelHealth } from '@countersign/sdk/contract'

export interface HealthDay {
  /** `2026-11-21`, in UTC. */
  day: string
  /** The share of the day in which the endpoint responded, 0 to 1, with equal weight for each hour; null if not checked. */
  share: number | null
}

const dayMs = 86_400_000
const week = 7

/** Seven days, ending with this one. */
export const daysOf = (hours: ModelHealth['hours'], now: number): HealthDay[] => {
  const ofDay = Map.groupBy(
    hours.filter(({ checks }) => checks > 0),
    ({ hour }) => hour.slice(0, 10),
  )
  return Array.from({ length: week }, (_, index) => {
    const day = new Date(now - (week - 1 - index) * dayMs).toISOString().slice(0, 10)
    const checkedHours = ofDay.get(day) ?? []
    const answered = checkedHours.reduce((sum, { checks, healthy }) => sum + healthy / checks, 0)
    return { day, share: checkedHours.length === 0 ? null : answered / checkedHours.length }
  })
}
