import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { startLimit } from './mint.ts'
import { type Server, startLoad, startServer } from './processes.ts'
import { describeSamples, rates, runRounds } from './rounds.ts'
import { indexRuns, root, settle, type World } from './world.ts'

const tables = ['providers', 'api_keys', 'models', 'deployments', 'authorizations', 'signing_keys'] as const

/** The same providers, keys and models as in the embedded database. */
const copyRows = async (file: string, url: string) => {
  const source = new Sqlite(file, { readonly: true })
  const target = new pg.Client({ connectionString: url })
  await target.connect()
  try {
    // Without jobs, the next start indexes the rows.
    await target.query(`truncate jobs, ${tables.join(', ')}`)
    for (const table of tables) {
      const rows = source.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
      const columns = Object.keys(rows[0] ?? {})
      const size = Math.max(1, Math.floor(60_000 / Math.max(1, columns.length)))
      for (let start = 0; start < rows.length; start += size) {
        const part = rows.slice(start, start + size)
        const places = part.map(
          (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
        )
        const names = columns.map((name) => `"${name}"`).join(', ')
        await target.query(
          `insert into ${table} (${names}) values ${places.join(', ')}`,
          part.flatMap((row) => columns.map((name) => row[name])),
        )
      }
    }
  } finally {
    await target.end()
    source.close()
  }
}

const settleDatabase = async (server: Server, url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await settle(server, async () => (await client.query(indexRuns)).rowCount === 1)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Compares minting on PostgreSQL, with its default durability, with the bare server on SQLite. */
export const measurePostgres = async (world: World): Promise<Report> => {
  const postgres = await startPostgres({ durable: true })
  const load = await startLoad()
  const limitCopy = world.copy('postgres-limit')
  const url = postgres.urlOf('postgres')
  const env = { ...world.env(limitCopy), DATABASE_URL: url }
  const program = [join(root, 'server/bin/countersign-server.cjs')]
  const start = (log: string) => startServer('Countersign on PostgreSQL', program, env, world.log(log))
  // Start once to create the tables, and once to index the copied rows.
  await (await start('postgres-first')).kill()
  await copyRows(world.databaseOf(limitCopy), url)
  await settleDatabase(await start('postgres-second'), url)
  const registry = await start('postgres')
  const limit = await startLimit(world, limitCopy)
  try {
    const contenders = [
      { server: limit, file: world.mintRequests, status: 201 },
      { server: registry, file: world.mintRequests, status: 201 },
    ]
    const samples = await runRounds(load, contenders)
    const [limitRates, ourRates] = samples.map(rates)
    return {
      measured: [
        measure(
          { goal: 'G7', name: 'mint on PostgreSQL / bare node:http on SQLite', floor: 0.4, target: 0.6 },
          ratioOfRounds(ourRates ?? [], limitRates ?? []),
        ),
      ],
      details: describeSamples(contenders, samples),
    }
  } finally {
    await Promise.all([load.stop(), registry.kill(), limit.kill()])
    await postgres.stop()
  }
}
