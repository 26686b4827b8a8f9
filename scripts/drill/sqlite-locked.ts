import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { type Fault, must } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'

export const fault: Fault = {
  name: 'sqlite-locked',
  does: 'SQLite locked for 10 s by another process',
  run: async (drill) => {
    const registry = await startRegistry(drill)
    const load = startLoad(registry)
    await load.more(200)
    const other = new Sqlite(join(registry.folder, 'countersign.db'), { timeout: 5_000 })
    drill.onEnd(() => other.close())
    other.exec('begin exclusive')
    await wait(10_000)
    await mustKeep(registry, load.links.slice(-200))
    const ready = await registry.get('/readyz')
    must(ready.status === 200, `/readyz got ${ready.status}`)
    other.exec('rollback')
    const recovery = await recoveryMs(registry)
    const result = await load.stop()
    mustBeHonest(result, 1_500)
    mustLive(registry)
    await mustKeep(registry, result.links)
    return `${result.refused.length} requests got 503 (slowest ${ms(result.slowestMs)}), ${result.links.length} links kept, recovery ${ms(recovery)}`
  },
}
