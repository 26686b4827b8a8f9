import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Refusal } from '@countersign/sdk/contract'
import Sqlite from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { failureOf } from '../db/retry.ts'
import { syncFile, syncFolder } from '../durable-file.ts'
import { build } from '../version.ts'
import { fingerprintOf, type Manifest, manifestFileOf, writeManifest } from './manifest.ts'
import { readOneState, readPages } from './postgres-rows.ts'
import { createProgress } from './progress.ts'
import { countRows, differencesOf, type Handle, listTables, type Tallies, tallyTables } from './tables.ts'

const isSource = import.meta.url.endsWith('.ts')
const program = new URL(isSource ? './vacuum-thread.ts' : './vacuum-thread.js', import.meta.url)

/** One consistent copy by SQLite itself. The size of the new file shows the progress. */
const vacuumInto = async (source: string, target: string) => {
  const handle = new Sqlite(source, { readonly: true })
  const [pages, pageSize, free] = ['page_count', 'page_size', 'freelist_count'].map(
    (name) => handle.pragma(name, { simple: true }) as number,
  )
  handle.close()
  const progress = createProgress('Copying ', ((pages ?? 0) - (free ?? 0)) * (pageSize ?? 0))
  const timer = setInterval(() => {
    if (existsSync(target)) progress.set(statSync(target).size)
  }, 100)
  try {
    await new Promise<void>((resolve, reject) => {
      const worker = new Worker(program, { workerData: { source, target } })
      worker.once('message', () => resolve())
      worker.once('error', reject)
    })
  } finally {
    clearInterval(timer)
  }
  progress.end()
}

const lastMigrationOf = (handle: Handle) =>
  handle.prepare<[], { name: string }>('select name from migrations order by name desc limit 1').get()?.name ?? ''

/** PostgreSQL's rows in a SQLite file of the same schema, read in one transaction. */
const copyFromPostgres = async (url: string, target: string) => {
  const empty = await openDatabase(`sqlite:${target}`)
  await migrate(empty, Date.now)
  await empty.close()
  const handle = new Sqlite(target)
  const source = await openDatabase(url)
  try {
    await source.transaction(async (tx) => {
      await readOneState(tx)
      const applied = await tx
        .selectFrom('migrations')
        .select('name')
        .orderBy('name', 'desc')
        .executeTakeFirst()
        .catch((error: unknown) => {
          // Without a schema there is no such table.
          if (failureOf(error) !== undefined) throw error
          throw new Refusal('not_found', 'The database in DATABASE_URL has no registry. Check DATABASE_URL.')
        })
      if (applied?.name !== migrations.at(-1)?.name)
        throw new Refusal(
          'unavailable',
          `The database has the schema ${applied?.name}, but this version expects ${migrations.at(-1)?.name}. Make the backup with the version that runs the registry.`,
        )
      const tables = listTables(handle)
      const progress = createProgress('Copying ', tables.length)
      for (const table of tables) {
        const { name, columns } = table
        handle.prepare(`delete from ${name}`).run()
        const insert = handle.prepare(
          `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        )
        const insertAll = handle.transaction((rows: readonly Readonly<Record<string, unknown>>[]) => {
          for (const row of rows) insert.run(columns.map((column) => row[column]))
        })
        for await (const rows of readPages(tx, table)) insertAll(rows)
        progress.add()
      }
      progress.end()
    })
    handle.pragma('journal_mode = DELETE')
  } finally {
    handle.close()
    await source.close()
  }
}

/** Throws unless the file is an intact SQLite database; returns what it contains. */
const inspect = (file: string): { schema: string; tables: Tallies } => {
  const handle = new Sqlite(file, { readonly: true })
  try {
    const answers = handle.pragma('integrity_check(3)') as { integrity_check: string }[]
    const problems = answers.map((row) => row.integrity_check).filter((text) => text !== 'ok')
    if (problems.length > 0) throw new Refusal('bad_request', `${file} is damaged: ${problems.join(' ')}`)
    const progress = createProgress('Checking', countRows(handle))
    const tables = tallyTables(handle, () => progress.add())
    progress.end()
    return { schema: lastMigrationOf(handle), tables }
  } finally {
    handle.close()
  }
}

/** Writes a verified backup beside its manifest. The registry may run and write meanwhile. */
export const createBackup = async (databaseUrl: string, file: string): Promise<Manifest> => {
  for (const path of [file, manifestFileOf(file)])
    if (existsSync(path)) throw new Refusal('already_created', `${path} already exists. Choose another name.`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  const engine = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  const at = Date.now()
  try {
    if (engine === 'sqlite') await vacuumInto(databaseUrl.slice('sqlite:'.length), partial)
    else await copyFromPostgres(databaseUrl, partial)
    syncFile(partial)
    const { schema, tables } = inspect(partial)
    const fingerprint = await fingerprintOf(partial)
    renameSync(partial, file)
    syncFolder(dirname(file))
    return writeManifest(file, { at, server_version: build, schema, engine, file: fingerprint, tables })
  } catch (error) {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${partial}${end}`, { force: true })
    throw error
  }
}

/** Throws unless the backup is exactly as it was written. */
export const checkBackup = async (file: string, { file: expected, tables, schema }: Manifest) => {
  if (!existsSync(file)) throw new Refusal('not_found', `${file} does not exist.`)
  const found = await fingerprintOf(file)
  if (found.sha256 !== expected.sha256)
    throw new Refusal('bad_request', `${file} is damaged: its SHA-256 is not the one in its manifest.`)
  const inspected = inspect(file)
  const differences = differencesOf(tables, inspected.tables)
  if (differences.length > 0 || inspected.schema !== schema)
    throw new Refusal('bad_request', `${file} does not match its manifest: ${differences.join(', ') || 'schema'}.`)
  if (!migrations.some(({ name }) => name === schema))
    throw new Refusal(
      'unavailable',
      `The backup has the schema ${schema}. This is countersign-server ${build}, which knows schemas up to ${migrations.at(-1)?.name}. Restore it with that version or a newer one.`,
    )
}
