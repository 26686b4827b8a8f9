import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Fault, must } from './support/fault.ts'
import { ms, mustBeHonest, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'postgres-table-locked',
  does: 'the table of links locked for 10 s by another client, with 64 requests at once',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') })
    const admin = new pg.Client(postgres.urlOf('postgres'))
    await admin.connect()
    drill.onEnd(() => admin.end())
    const load = startLoad(registry, 64)
    await load.more(200)
    await admin.query('begin')
    await admin.query('lock table verifications in access exclusive mode')
    await wait(10_000)
    const models = await registry.get(`/api/v1/models/${registry.model_id}/public`)
    await admin.query('rollback')
    const recovery = await recoveryMs(registry)
    const result = await load.stop()
    must(models.status === 200 || models.status === 503, `an unlocked table got ${models.status}`)
    mustBeHonest(result, 1_500)
    mustLive(registry)
    return `${result.refused.length} requests got 503 (slowest ${ms(result.slowestMs)}), recovery ${ms(recovery)}`
  },
}
