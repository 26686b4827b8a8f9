import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

/** With `synchronous_commit` on, what PostgreSQL acknowledged survives an immediate stop. */
export const fault: Fault = {
  name: 'postgres-stopped',
  does: 'PostgreSQL stopped immediately and fast under load, and started again',
  run: async (drill) => {
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const registry = await startRegistry(drill, { databaseUrl: postgres.urlOf('postgres') })
    const rounds = drill.times(20)
    const recoveries: number[] = []
    let refused = 0
    let slowest = 0
    let count = 0
    for (let round = 0; round < rounds; round++) {
      const load = startLoad(registry)
      await load.more(100)
      await postgres.end(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT')
      await postgres.start()
      recoveries.push(await recoveryMs(registry))
      const result = await load.stop()
      mustBeHonest(result, 1_500)
      mustLive(registry)
      await mustKeep(registry, result.links)
      refused += result.refused.length
      slowest = Math.max(slowest, result.slowestMs)
      count += result.links.length
    }
    return `${rounds} stops, ${count} links kept, ${refused} requests got 503 (slowest ${ms(slowest)}), recovery at most ${ms(Math.max(...recoveries))}`
  },
}
