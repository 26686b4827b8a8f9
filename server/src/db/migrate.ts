import { Refusal } from '@countersign/sdk/contract'
import { sql } from 'kysely'
import { build } from '../version.ts'
import { dialects } from './dialect.ts'
import type { Database } from './engine.ts'
import { migrations } from './migrations/index.ts'
import { failureOf } from './retry.ts'
import type { Db, Tx } from './schema.ts'

/** Undefined only in a build without migrations. */
export const newestSchema = migrations.at(-1)?.name

const createBookkeeping = async (tx: Tx) => {
  await sql`create table if not exists leases (name text not null primary key, holder text not null, expires_at bigint not null)`.execute(
    tx,
  )
  await sql`create table if not exists migrations (name text not null primary key, applied_at bigint not null)`.execute(
    tx,
  )
  await sql`create table if not exists registry_facts (name text not null primary key, value text not null)`.execute(tx)
}

const appliedIn = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('migrations').select('name').orderBy('name').execute()).map(({ name }) => name)

/** Null: the database is new, or older than this record. */
const findWriterBuild = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('registry_facts').select('value').where('name', '=', 'version').executeTakeFirst()
  return row?.value ?? null
}

/** An older server would write rows that break the rules of a newer schema. */
const checkIsNotNewer = async (db: Db, applied: readonly string[]) => {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length === 0) return
  const writer = await findWriterBuild(db)
  throw new Refusal(
    'unavailable',
    `The database has the schema ${unknown.at(-1)}${writer === null ? '' : ` of countersign-server ${writer}`}. This is countersign-server ${build}, which knows schemas up to ${newestSchema}. Start the newer version, or restore a backup from before the upgrade.`,
  )
}

const isOutdated = async (database: Database): Promise<boolean> => {
  const applied = await appliedIn(database.read).catch(() => [])
  if (applied.length === 0) return true
  await checkIsNotNewer(database.read, applied)
  return applied.length < migrations.length || (await findWriterBuild(database.read).catch(() => null)) !== build
}

const applyMissing = async (tx: Tx, database: Database, now: () => number): Promise<string[]> => {
  const dialect = dialects[database.engine]
  await dialect.allowLongStatements(tx)
  // Its lock lasts until the transaction ends, so it ends with the process that holds it, independent of clocks.
  await sql`insert into leases (name, holder, expires_at) values ('migrate', ${build}, 0) on conflict (name) do update set holder = excluded.holder`.execute(
    tx,
  )
  const applied = await appliedIn(tx)
  await checkIsNotNewer(tx, applied)
  const missing = migrations.filter(({ name }) => !applied.includes(name))
  for (const { name, up } of missing) {
    await up(tx, dialect)
    await tx.insertInto('migrations').values({ name, applied_at: now() }).execute()
  }
  await sql`insert into registry_facts (name, value) values ('version', ${build}) on conflict (name) do update set value = excluded.value`.execute(
    tx,
  )
  await sql`delete from leases where name = 'migrate'`.execute(tx)
  return missing.map(({ name }) => name)
}

const hasCode = (error: unknown, codes: readonly unknown[]) =>
  error instanceof Error && 'code' in error && codes.includes(error.code)

/** Another process is at work. */
const isLocked = (error: unknown) => ['busy', 'conflict'].includes(failureOf(error) ?? '') || hasCode(error, ['55P03'])

/**
 * PostgreSQL fails one of two processes that create the same table: on its own catalogue, or because the table or its
 * type exists by then (duplicate_table, duplicate_object).
 */
const isLockedOrClash = (error: unknown) =>
  isLocked(error) || failureOf(error) === 'unique' || hasCode(error, ['42P07', '42710'])

const waitMs = 10_000
const pauseMs = 100

/**
 * Brings the schema up to date, in one transaction. Every process may call it at start; one at a time does the work, and others wait for
 * it. Returns what it applied.
 */
export const migrate = async (
  database: Database,
  now: () => number,
  onWait: () => void = () => {},
): Promise<string[]> => {
  if (!(await isOutdated(database))) return []
  const since = performance.now()
  let hasWaited = false
  const waiting = async <T>(work: () => Promise<T>, isInTheWay: (error: unknown) => boolean): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isInTheWay(error)) throw error
        if (performance.now() - since > waitMs) throw stillLocked(error)
        if (!hasWaited) onWait()
        hasWaited = true
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
  await waiting(() => database.transaction(createBookkeeping), isLockedOrClash)
  return waiting(() => database.transaction((tx) => applyMissing(tx, database, now)), isLocked)
}

const stillLocked = (cause: unknown) =>
  new Refusal(
    'unavailable',
    `Another process has held the database for ${waitMs / 1_000} seconds, probably to update its schema. Start again when it is done.`,
    {},
    { cause },
  )
