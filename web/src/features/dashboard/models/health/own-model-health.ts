import type { ModelHealth } from '@countersign/sdk/contract'

export interface HealthDay {
  /** `2026-11-21`, in UTC. */
  day: string
  /** How much of it the endpoint answered, 0 to 1, every hour counting alike; null where it was not asked. */
  share: number | null
}

const dayMs = 86_400_000
const week = 7

/** The seven days that end with this one. */
export const daysOf = (hours: ModelHealth['hours'], now: number): HealthDay[] => {
  const ofDay = Map.groupBy(
    hours.filter(({ checks }) => checks > 0),
    ({ hour }) => hour.slice(0, 10),
  )
  return Array.from({ length: week }, (_, index) => {
    const day = new Date(now - (week - 1 - index) * dayMs).toISOString().slice(0, 10)
    const asked = ofDay.get(day) ?? []
    const answered = asked.reduce((sum, { checks, healthy }) => sum + healthy / checks, 0)
    return { day, share: asked.length === 0 ? null : answered / asked.length }
  })
}
