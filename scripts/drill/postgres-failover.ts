import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Fault, must } from './support/fault.ts'
import { ms, mustBeHonest, mustKeep, mustLive, recoveryMs, startLoad } from './support/load.ts'
import { startRegistry } from './support/registry.ts'
import { startSwitch } from './support/switch.ts'

const ask = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows[0] as Record<string, unknown>
  } finally {
    await client.end()
  }
}

export const fault: Fault = {
  name: 'postgres-failover',
  does: 'the address of PostgreSQL leads to a read-only standby, which is promoted after 5 s',
  run: async (drill) => {
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    const standby = await postgres.startStandby()
    drill.onEnd(standby.stop)
    const network = await startSwitch(postgres.port)
    drill.onEnd(network.stop)
    const url = new URL(postgres.urlOf('postgres'))
    url.port = String(network.port)
    const registry = await startRegistry(drill, { databaseUrl: url.href })
    const before = startLoad(registry)
    await before.more(200)
    const { links } = await before.stop()
    const written = String((await ask(postgres.urlOf('postgres'), 'select pg_current_wal_lsn()::text as lsn')).lsn)
    const hasAll = `select coalesce(pg_last_wal_replay_lsn() >= '${written}'::pg_lsn, false) as "isThere"`
    while ((await ask(standby.urlOf('postgres'), hasAll)).isThere !== true) await wait(50)

    network.to(standby.port)
    await postgres.end('SIGQUIT')
    const readable = await recoverReads(() => registry.check(links[0] ?? ''))
    const load = startLoad(registry)
    await wait(5_000)
    must((await registry.get('/readyz')).status === 200, '/readyz is not 200 on a standby')
    must((await registry.get('/readyz?for=writes')).status === 503, '/readyz?for=writes is not 503 on a standby')
    await mustKeep(registry, links)
    await ask(standby.urlOf('postgres'), 'select pg_promote()')
    const recovery = await recoveryMs(registry)
    await load.more(50)
    const result = await load.stop()
    mustBeHonest(result, 1_500)
    mustLive(registry)
    await mustKeep(registry, result.links)
    return `reads after ${ms(readable)}, ${result.refused.length} writes got 503 (slowest ${ms(result.slowestMs)}), writes ${ms(recovery)} after the promotion, ${links.length + result.links.length} links kept`
  },
}

const recoverReads = async (read: () => Promise<{ status: number }>) => {
  const started = performance.now()
  while ((await read()).status !== 200) {
    must(performance.now() - started < 10_000, 'reads did not work on the standby within 10 s')
    await wait(20)
  }
  return performance.now() - started
}
