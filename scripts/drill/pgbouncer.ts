import { findPgbouncer, startPgbouncer } from '../../tests/support/pgbouncer.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Fault, must } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'pgbouncer',
  does: 'PgBouncer in transaction mode with 4 server connections, and PostgreSQL restarted behind it',
  run: async (drill) => {
    const program = await findPgbouncer()
    must(program !== undefined, 'PgBouncer is neither installed nor in Debian’s packages')
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const pooler = await startPgbouncer(program, postgres.urlOf('postgres'))
    drill.onEnd(pooler.stop)
    const registry = await startRegistry(drill, { databaseUrl: pooler.urlOf(postgres.urlOf('postgres')) })
    const rounds = drill.times(10)
    const recoveries: number[] = []
    let count = 0
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const load = startLoad(registry, 32)
      await load.more(300)
      await postgres.end(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT')
      await postgres.start()
      recoveries.push(await recoveryMs(registry, 3_000))
      const result = await load.stop()
      mustBeHonest(result, 6_500)
      mustLive(registry)
      await mustKeep(registry, result.links)
      count += result.links.length
      slowest = Math.max(slowest, result.slowestMs)
    }
    return `${rounds} restarts, ${count} links kept, slowest 503 ${ms(slowest)}, recovery at most ${ms(Math.max(...recoveries))}`
  },
}
