import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database, StatementListener } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { createPostgresDatabase, dropPostgresDatabase } from './postgres.ts'
import type { SharedName } from './shared.ts'

export type Engine = Database['engine']

const engines = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** Runs a suite once on SQLite and once on a real PostgreSQL server. */
export const describeEachEngine = (name: string, suite: (engine: Engine) => void) => {
  describe.each(engines)(`${name}, on %s`, suite)
}

/** For suites that do not concern the database: on SQLite, and on both with `npm run test:full`. */
export const describeOnSqlite: typeof describeEachEngine = (name, suite) =>
  process.env.TEST_FULL ? describeEachEngine(name, suite) : describe.each(['sqlite'] as const)(`${name}, on %s`, suite)

const askFor = async (name: SharedName): Promise<string> => {
  const response = await fetch(`${inject('sharedUrl')}/${name}`)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return answer
}

const answers = new Map<SharedName, Promise<string>>()

/** Requests something that the whole test run shares, once in each process. */
export const askShared = (name: SharedName): Promise<string> => {
  const answer = answers.get(name) ?? askFor(name)
  answers.set(name, answer)
  return answer
}

/** Adds a waiting time to the figures that `npm test` prints at the end. */
export const measured = async <T>(kind: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const result = await work()
  const query = new URLSearchParams({ kind, ms: String(Math.round(performance.now() - started)) })
  await fetch(`${inject('sharedUrl')}/spent?${query}`)
  return result
}

/** A database for the test. The schema is already in place, so migrating it is quick. */
export const createTestDatabase = (engine: Engine): Promise<{ url: string; remove: () => Promise<void> }> =>
  measured(`databases, ${engine}`, () => copyDatabase(engine))

const copyDatabase = async (engine: Engine): Promise<{ url: string; remove: () => Promise<void> }> => {
  switch (engine) {
    case 'sqlite': {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-sqlite-'))
      const file = join(folder, 'test.db')
      await copyFile(await askShared('sqlite'), file)
      return { url: `sqlite:${file}`, remove: () => rm(folder, { recursive: true, force: true }) }
    }
    case 'postgres': {
      const adminUrl = await askShared('postgres')
      const name = `test_${randomBytes(6).toString('hex')}`
      const url = await createPostgresDatabase(adminUrl, name, 'template')
      return { url, remove: () => dropPostgresDatabase(adminUrl, name) }
    }
    default:
      return engine satisfies never
  }
}

/** The URL of a database without tables, for the running test. */
export const createEmptyDatabase = async (engine: Engine): Promise<string> => {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-empty-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'test.db')
    await writeFile(file, '')
    return `sqlite:${file}`
  }
  const adminUrl = await askShared('postgres')
  const name = `empty_${randomBytes(6).toString('hex')}`
  onTestFinished(() => dropPostgresDatabase(adminUrl, name))
  return createPostgresDatabase(adminUrl, name)
}

/** An open database with the current schema for the running test; closed and removed after it. */
export const openTestDatabase = async (engine: Engine, listen?: StatementListener): Promise<Database> => {
  const { url, remove } = await createTestDatabase(engine)
  const database = await openDatabase(url, listen)
  onTestFinished(async () => {
    await database.close()
    await remove()
  })
  await migrate(database, Date.now)
  return database
}
