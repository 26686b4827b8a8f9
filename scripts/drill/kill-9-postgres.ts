import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { describeKills, killAmidWrites } from './support/kills.ts'
import { mustLive } from './support/load.ts'
import { startRegistry } from './support/registry.ts'
import { readPostgres } from './support/stored.ts'

export const fault: Fault = {
  name: 'kill-9-postgres',
  does: 'the registry killed amid writes, on PostgreSQL',
  run: async (drill) => {
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const databaseUrl = postgres.urlOf('postgres')
    const registry = await startRegistry(drill, { databaseUrl })
    const kills = drill.times(50)
    const figures = await killAmidWrites(drill, {
      registry,
      kills,
      perRound: () => 420,
      stored: () => readPostgres(databaseUrl),
    })
    mustLive(registry)
    return describeKills(kills, figures)
  },
}
