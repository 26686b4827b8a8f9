import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import { type Drill, type Fault, must } from './support/fault.ts'
import { mustKeep } from './support/load.ts'
import { type InstallOptions, startRegistry } from './support/registry.ts'

const upgrade = "insert into migrations (name, applied_at) values ('9999-later', 0)"
const downgrade = "delete from migrations where name = '9999-later'"

const refuse = async (drill: Drill, options: InstallOptions, runOn: (folder: string, text: string) => unknown) => {
  const registry = await startRegistry(drill, options)
  const link = String((await registry.mint()).body.verification_url)
  await registry.end('SIGTERM')
  await runOn(registry.folder, upgrade)
  const { code, output } = await registry.runToEnd()
  const says = /has the schema 9999-later.*This is countersign-server \d.*Start the newer version/
  must(code === 1 && says.test(output), `it ended with ${code}: ${output.slice(-500)}`)
  await runOn(registry.folder, downgrade)
  await registry.start()
  await mustKeep(registry, [link])
}

export const fault: Fault = {
  name: 'schema-newer',
  does: 'a database whose schema a newer version has written',
  run: async (drill) => {
    await refuse(drill, {}, (folder, text) => {
      const database = new Sqlite(join(folder, 'countersign.db'))
      database.exec(text)
      database.close()
    })
    const postgres = await startPostgres()
    drill.onEnd(postgres.stop)
    const databaseUrl = postgres.urlOf('postgres')
    await refuse(drill, { databaseUrl }, async (_, text) => {
      const client = new pg.Client(databaseUrl)
      await client.connect()
      await client.query(text)
      await client.end()
    })
    return 'SQLite and PostgreSQL: refused with both versions, started again after the rollback'
  },
}
