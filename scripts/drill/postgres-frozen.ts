import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Fault, must } from './support/fault.ts'
import { ms, mustBeHonest, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'postgres-frozen',
  does: 'PostgreSQL frozen for 10 s under load (SIGSTOP)',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') })
    const rounds = drill.times(6)
    const recoveries: number[] = []
    let slowest = 0
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const load = startLoad(registry)
      await load.more(100)
      postgres.signalAll('SIGSTOP')
      try {
        await wait(10_000)
        const ready = await registry.get('/readyz')
        must(ready.status === 503 && ready.ms < 1_000, `/readyz got ${ready.status} after ${ms(ready.ms)}`)
        const live = await registry.get('/livez')
        must(live.status === 200, `/livez got ${live.status}`)
      } finally {
        postgres.signalAll('SIGCONT')
      }
      recoveries.push(await recoveryMs(registry))
      const result = await load.stop()
      mustBeHonest(result, 5_000)
      mustLive(registry)
      slowest = Math.max(slowest, result.slowestMs)
      refused += result.refused.length
    }
    return `${rounds} times, ${refused} requests got 503 (slowest ${ms(slowest)}), recovery at most ${ms(Math.max(...recoveries))}`
  },
}
