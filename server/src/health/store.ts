import { sql } from 'kysely'
import type { Db, ModelTable, Tx } from '../db/schema.ts'
import type { WeekOfChecks } from './rules.ts'

const dayMs = 86_400_000

interface Subject {
  provider_id: string
  id: string
}

export interface DueModel extends Subject {
  endpoint: string
  health_status: ModelTable['health_status']
  health_failures: number
  health_interval_seconds: number
}

/**
 * Claims what is due by moving its next time on: if the process dies, a probe is skipped, never repeated. Only the latest versions of
 * active providers are probed.
 */
export const claimDue = (tx: Tx, { at, limit }: { at: number; limit: number }): Promise<DueModel[]> =>
  tx
    .updateTable('models')
    .set({ health_due_at: sql<number>`cast(${at} as bigint) + health_interval_seconds * 1000` })
    .where('id', 'in', (due) =>
      due
        .selectFrom('models as m')
        .innerJoin('providers as p', 'p.id', 'm.provider_id')
        .select('m.id')
        .where('m.health_due_at', '<=', at)
        .where('m.is_latest', '=', 1)
        .where('m.archived_at', 'is', null)
        .where('m.deleted_at', 'is', null)
        .where('p.deactivated_at', 'is', null)
        .where('p.deleted_at', 'is', null)
        .orderBy('m.health_due_at')
        .orderBy('m.id')
        .limit(limit),
    )
    .where('health_due_at', '<=', at)
    .returning(['provider_id', 'id', 'endpoint', 'health_status', 'health_failures', 'health_interval_seconds'])
    .execute()

/** For another run; monitoring that was switched off meanwhile stays off. */
export const putOff = (tx: Tx, { provider_id, id }: Subject, at: number) =>
  tx
    .updateTable('models')
    .set({ health_due_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('health_due_at', 'is not', null)
    .execute()

interface Result extends Subject {
  endpoint: string
  status: 'healthy' | 'unhealthy'
  failures: number
  at: number
  due_at: number
}

/** Zero rows if the endpoint changed or is no longer monitored: then the result is discarded. */
export const markChecked = (tx: Tx, { provider_id, id, endpoint, status, failures, at, due_at }: Result) =>
  tx
    .updateTable('models')
    .set({ health_status: status, health_failures: failures, health_last_check: at, health_due_at: due_at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .where('health_due_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()

/** Counts a probe in its hour, deletes hours before `since`, and returns what the rest says. */
export const countCheck = async (
  tx: Tx,
  { provider_id, id, hour, healthy, since }: Subject & { hour: number; healthy: 0 | 1; since: number },
): Promise<WeekOfChecks> => {
  await tx
    .insertInto('health_hours')
    .values({ provider_id, model_id: id, hour, checks: 1, healthy })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'model_id', 'hour']).doUpdateSet({
        checks: sql<number>`health_hours.checks + 1`,
        healthy: sql<number>`health_hours.healthy + excluded.healthy`,
      }),
    )
    .execute()
  const own = tx.deleteFrom('health_hours').where('provider_id', '=', provider_id).where('model_id', '=', id)
  await own.where('hour', '<', since).execute()
  const { share, hours, days } = await tx
    .selectFrom('health_hours')
    .select(({ fn }) => [
      sql<number>`avg(cast(healthy as double precision) / checks)`.as('share'),
      fn.countAll<number>().as('hours'),
      // Both databases divide whole numbers without a remainder.
      sql<number>`count(distinct hour / ${sql.lit(dayMs)})`.as('days'),
    ])
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', id)
    .executeTakeFirstOrThrow()
  return { share, hours: Number(hours), days: Number(days) }
}

export const setUptime = (tx: Tx, { provider_id, id }: Subject, uptime_7d: number | null) =>
  tx.updateTable('models').set({ uptime_7d }).where('provider_id', '=', provider_id).where('id', '=', id).execute()

export const listHours = (db: Db, { provider_id, id }: Subject, since: number) =>
  db
    .selectFrom('health_hours')
    .select(['hour', 'checks', 'healthy'])
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', id)
    .where('hour', '>=', since)
    .orderBy('hour')
    .execute()
