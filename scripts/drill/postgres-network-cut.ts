import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../../tests/support/postgres.ts'
import type { Fault } from './support/fault.ts'
import { ms, mustBeHonest, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'
import { startSwitch } from './support/switch.ts'

export const fault: Fault = {
  name: 'postgres-network-cut',
  does: 'the network to PostgreSQL loses every packet for 10 s; connections of before stay dead',
  run: async (drill) => {
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const network = await startSwitch(postgres.port)
    drill.onEnd(network.stop)
    const url = new URL(postgres.urlOf('postgres'))
    url.port = String(network.port)
    const registry = await startRegistry(drill, { databaseUrl: url.href })
    const load = startLoad(registry)
    await load.more(100)
    network.cut()
    await wait(10_000)
    network.rejoin()
    const recovery = await recoveryMs(registry)
    const result = await load.stop()
    mustBeHonest(result, 5_000)
    mustLive(registry)
    return `${result.refused.length} requests got 503 (slowest ${ms(result.slowestMs)}), recovery ${ms(recovery)}`
  },
}
