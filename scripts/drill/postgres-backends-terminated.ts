import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'postgres-backends-terminated',
  does: 'all connections terminated under load, twice a second',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') })
    const admin = new pg.Client(postgres.urlOf('postgres'))
    await admin.connect()
    drill.onEnd(() => admin.end())
    const load = startLoad(registry)
    const times = drill.times(60)
    let terminated = 0
    for (let round = 0; round < times; round++) {
      const { rowCount } = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign'",
      )
      terminated += rowCount ?? 0
      await wait(500)
    }
    const recovery = await recoveryMs(registry)
    const result = await load.stop()
    mustBeHonest(result, 1_500)
    mustLive(registry)
    await mustKeep(registry, result.links)
    return `${terminated} connections, ${result.links.length} links kept, ${result.refused.length} of ${result.answered} requests got 503 (slowest ${ms(result.slowestMs)}), recovery ${ms(recovery)}`
  },
}
