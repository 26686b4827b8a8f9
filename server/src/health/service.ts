import type { ModelHealth } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { healthAt } from '../db/health.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { ModelService } from '../models/service.ts'
import type { Egress } from '../outbound/egress.ts'
import { hourOf, inLanes, isAlive, isAliveDespite, nextCheckAt, probe, takeTurns, uptimeOf, weekMs } from './rules.ts'
import { claimDue, countCheck, type DueModel, listHours, markChecked, putOff, setUptime } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  models: ModelService
  egress: Egress
  now: () => number
}

const batch = 50
const atOnce = 16
/** Per run; the rest waits for the next run. */
const patienceMs = 45_000
/** For a host that reached its limit in this run. */
const putOffMs = 60_000

/** Whether the endpoints of models answer. The content of the answer is ignored. */
export const createHealthService = ({ database, events, models, egress, now }: Deps) => {
  const isAnswering = async (endpoint: string): Promise<boolean> => {
    try {
      const { status } = await egress.fetch(endpoint, probe)
      return isAlive(status)
    } catch (error) {
      if (error instanceof Error && 'kind' in error) return isAliveDespite(error.kind)
      throw error
    }
  }

  const note = async (model: DueModel, healthy: boolean) => {
    const { provider_id, id } = model
    const at = now()
    const failures = healthy ? 0 : model.health_failures + 1
    const status = healthy ? 'healthy' : 'unhealthy'
    const due_at = nextCheckAt({ at, intervalSeconds: model.health_interval_seconds, failures })
    await database.transaction(async (tx) => {
      if (!(await markChecked(tx, { ...model, status, failures, at, due_at }))) return
      const hour = hourOf(at)
      const week = await countCheck(tx, { provider_id, id, hour, healthy: healthy ? 1 : 0, since: at - weekMs })
      await setUptime(tx, model, uptimeOf(week, model.health_interval_seconds))
      if (model.health_status === status || model.health_status === 'unknown') return
      await events.record(tx, {
        provider_id,
        actor: 'registry',
        action: 'model.health_changed',
        subject: ['model', id],
        before: { health_status: model.health_status },
        after: { health_status: status },
      })
    })
  }

  const check = async (model: DueModel, signal: AbortSignal) => {
    if (signal.aborted) return
    await note(model, await isAnswering(model.endpoint))
  }

  const ofModel = async (caller: Caller | undefined, id: string): Promise<ModelHealth> => {
    const row = await models.getVisible(caller, id)
    const hours = await listHours(database.read, { provider_id: row.provider_id, id }, now() - weekMs)
    const health = healthAt(row, now())
    const uptime = health.uptime_7d === null ? null : health.uptime_7d / 100
    return {
      model_id: id,
      health_check_enabled: row.health_check_enabled === 1,
      health_status: health.health_status,
      last_check: row.health_last_check === null ? null : new Date(row.health_last_check).toISOString(),
      uptime_7d: uptime,
      uptime_percentage_7d: uptime,
      endpoint: row.endpoint,
      interval_seconds: row.health_interval_seconds,
      hours: hours.map(({ hour, ...counts }) => ({ hour: new Date(hour).toISOString(), ...counts })),
    }
  }

  return {
    ofModel,

    async set(
      caller: Caller,
      id: string,
      { enabled, interval_seconds }: { enabled: boolean; interval_seconds?: number | undefined },
    ) {
      await models.takeOver(caller, id, {
        action: 'model.monitoring_changed',
        fields: () => ({ health_check_enabled: enabled, health_interval_seconds: interval_seconds }),
        columns: (row) => {
          // Only the latest version is probed, and not after it was withdrawn.
          if (!enabled || row.is_latest === 0 || row.archived_at !== null) return { health_due_at: null }
          const next = now() + (interval_seconds ?? row.health_interval_seconds) * 1_000
          return { health_due_at: row.health_due_at === null ? now() : Math.min(row.health_due_at, next) }
        },
      })
      return ofModel(caller, id)
    },

    /** Probes every endpoint that is due. */
    async run(signal: AbortSignal): Promise<void> {
      const requestCounts = new Map<string, number>()
      const until = now() + patienceMs
      while (!signal.aborted && now() < until) {
        const due = await database.transaction((tx) => claimDue(tx, { at: now(), limit: batch }))
        const turns = takeTurns(due, requestCounts)
        if (turns.later.length > 0)
          await database.transaction(async (tx) => {
            for (const model of turns.later) await putOff(tx, model, now() + putOffMs)
          })
        await inLanes(turns.now, { inAll: atOnce, perHost: egress.perHost }, (model) => check(model, signal))
        if (due.length < batch) return
      }
    },
  }
}

export type HealthService = ReturnType<typeof createHealthService>
