import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../../tests/support/postgres.ts'
import type { Drill, Fault } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { type InstallOptions, startRegistry } from './support/registry.ts'

const frozenMs = 10_000

const freeze = async (drill: Drill, options: InstallOptions) => {
  const registry = await startRegistry(drill, options)
  const rounds = drill.times(3)
  let kept = 0
  let refused = 0
  const recoveries: number[] = []
  for (let round = 0; round < rounds; round++) {
    const load = startLoad(registry)
    await load.more(100)
    registry.signal('SIGSTOP')
    await wait(frozenMs)
    registry.signal('SIGCONT')
    recoveries.push(await recoveryMs(registry))
    await load.more(100)
    const result = await load.stop()
    mustBeHonest(result, frozenMs + 1_500)
    mustLive(registry)
    await mustKeep(registry, result.links)
    kept += result.links.length
    refused += result.refused.length
  }
  return { rounds, kept, refused, recovery: Math.max(...recoveries) }
}

export const fault: Fault = {
  name: 'registry-frozen',
  does: 'the registry frozen for 10 s under load (SIGSTOP), on SQLite and PostgreSQL',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const results = [await freeze(drill, {}), await freeze(drill, { databaseUrl: postgres.urlOf('postgres') })]
    return results
      .map(
        ({ rounds, kept, refused, recovery }, index) =>
          `${index === 0 ? 'SQLite' : 'PostgreSQL'}: ${rounds} times, ${refused} requests got 503, ${kept} links kept, recovery at most ${ms(recovery)}`,
      )
      .join('; ')
  },
}
