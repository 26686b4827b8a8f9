import type { Fault } from './support/fault.ts'
import { describeKills, killAmidWrites } from './support/kills.ts'
import { mustLive } from './support/load.ts'
import { startRegistry } from './support/registry.ts'
import { readSqlite } from './support/stored.ts'

export const fault: Fault = {
  name: 'kill-9-sqlite',
  does: 'the registry killed amid writes, on SQLite',
  run: async (drill) => {
    const registry = await startRegistry(drill)
    const kills = drill.times(50)
    const figures = await killAmidWrites(drill, {
      registry,
      kills,
      perRound: () => 420,
      stored: () => readSqlite(registry.folder),
    })
    mustLive(registry)
    return `${describeKills(kills, figures)}, integrity_check ok`
  },
}
