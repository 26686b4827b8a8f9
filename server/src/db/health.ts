import type { Tx } from './schema.ts'

const hourMs = 3_600_000

interface Health {
  health_status: 'healthy' | 'unhealthy' | 'unknown'
  uptime_7d: number | null
  health_last_check: number | null
  health_interval_seconds: number
}

/** What is known now. A check that is overdue by an hour, such as while the registry was down, says nothing about today. */
export const healthAt = (row: Health, now: number): Pick<Health, 'health_status' | 'uptime_7d'> => {
  const { health_status, uptime_7d, health_last_check, health_interval_seconds } = row
  // Endpoints that fail are checked at least hourly, or at their own interval.
  const dueMs = Math.max(health_interval_seconds * 1_000, hourMs)
  const isRecent = health_last_check !== null && now - health_last_check <= dueMs + hourMs
  return isRecent ? { health_status, uptime_7d } : { health_status: 'unknown', uptime_7d: null }
}

/**
 * The checks of a former endpoint say nothing about the new one, and those before a pause nothing about the pause. Of one version, or of
 * all.
 */
export const forgetHours = (tx: Tx, { provider_id, id }: { provider_id: string; id?: string }) =>
  tx
    .deleteFrom('health_hours')
    .where('provider_id', '=', provider_id)
    .$if(id !== undefined, (hours) => hours.where('model_id', '=', id ?? ''))
    .execute()
