// The registry on a less durable database. Only this benchmark starts it.
import { pino } from 'pino'
import { createRegistry } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import type { Database } from '../../server/src/db/engine.ts'
import { openSqlite } from '../../server/src/db/sqlite.ts'
import { openListener } from '../../server/src/http/listen.ts'

const { BENCH_SYNCHRONOUS = 'FULL', BENCH_COMMIT = 'group' } = process.env

/** Commits each row separately, as without group commit. */
const commitOneByOne = (database: Database): Database => ({
  ...database,
  appender: (table, columns) => {
    const append = database.appender(table, columns)
    return async (rows) => {
      for (const row of rows) await append([row])
    }
  },
})

const config = readConfig()
const opened = openSqlite({
  file: config.databaseUrl.slice('sqlite:'.length),
  synchronous: BENCH_SYNCHRONOUS === 'NORMAL' ? 'NORMAL' : BENCH_COMMIT === 'group' ? 'FULL' : 'FULL in the commit',
})
const database = BENCH_COMMIT === 'group' ? opened : commitOneByOne(opened)
const listener = await openListener(config.port, config.host)
const registry = await createRegistry({
  config,
  database,
  log: pino({ level: config.logLevel }),
  publicUrl: config.publicUrl ?? '',
  now: Date.now,
})
listener.serve(registry.answer)
