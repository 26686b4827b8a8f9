// A process that begins to update a schema, says so, and never finishes: for tests that kill it.
import { migrate } from '../../server/src/db/migrate.ts'
import { migrations } from '../../server/src/db/migrations/index.ts'
import { openDatabase } from '../../server/src/db/open.ts'

const [url = ''] = process.argv.slice(2)

const last = migrations.at(-1)
if (!last) throw new Error('There are no migrations')
last.up = () => {
  process.stdout.write('begun\n')
  return new Promise(() => {})
}
// Nothing else keeps it alive.
setInterval(() => {}, 60_000)
await migrate(await openDatabase(url), Date.now)
