import { setTimeout as wait } from 'node:timers/promises'
import { createPostgresDatabase, startPostgres } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'
import { ms } from './support/load.ts'
import { type InstallOptions, installRegistry } from './support/registry.ts'

const startLimitMs = 15_000

/** Every second kill hits a registry that has been started before. */
const killAndStart = async (drill: Drill, create: () => Promise<InstallOptions>) => {
  const kills = drill.times(20)
  let slowest = 0
  for (let round = 0; round < kills; round += 2) {
    const registry = await installRegistry(drill, await create())
    for (const _ of ['first start', 'later start']) {
      registry.launch()
      await wait(Math.random() * 1_500)
      await registry.end('SIGKILL')
      const started = performance.now()
      await registry.start()
      slowest = Math.max(slowest, performance.now() - started)
      await registry.end('SIGKILL')
    }
  }
  must(slowest < startLimitMs, `a start after a kill took ${ms(slowest)}`)
  return `${kills} kills, slowest next start ${ms(slowest)}`
}

export const fault: Fault = {
  name: 'start-killed',
  does: 'the registry killed at random moments while it starts, on SQLite and PostgreSQL',
  run: async (drill) => {
    const onSqlite = await killAndStart(drill, async () => ({}))
    const postgres = await startPostgres({ durable: true })
    drill.onEnd(postgres.stop)
    let databases = 0
    const onPostgres = await killAndStart(drill, async () => ({
      databaseUrl: await createPostgresDatabase(postgres.urlOf('postgres'), `started_${++databases}`),
    }))
    return `SQLite: ${onSqlite}; PostgreSQL: ${onPostgres}`
  },
}
