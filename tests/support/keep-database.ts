import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { World } from './world.ts'

/**
 * Saves the content of a world's database, and returns a function that restores it: a hundred times faster than making it
 * again on SQLite, and ten times on PostgreSQL.
 */
export const keepDatabase = ({ databaseUrl, dataDir }: Pick<World, 'databaseUrl' | 'dataDir'>) =>
  databaseUrl.startsWith('sqlite:')
    ? keepSqlite(databaseUrl.slice('sqlite:'.length), dataDir)
    : keepPostgres(databaseUrl)

const keepSqlite = async (file: string, dataDir: string) => {
  const kept = join(dataDir, 'kept.db')
  await copyDatabase(file, kept)
  return () => copyDatabase(kept, file)
}

const copyDatabase = async (from: string, to: string) => {
  const database = new Sqlite(from)
  await database.backup(to)
  database.close()
}

const keepPostgres = async (connectionString: string) => {
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return (await client.query<{ name: string }>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const tables = await run(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename",
  )
  const names = tables.map(({ name }) => name)
  await run(`create schema kept; ${names.map((name) => `create table kept.${name} as table public.${name};`).join('')}`)
  // Quicker for few rows than truncating, which makes new files for every table and index.
  const fill = names
    .map((name) => `delete from public.${name}; insert into public.${name} select * from kept.${name};`)
    .join('')
  return async () => {
    // Without the checks of references between tables that are not filled yet.
    await run(`begin; set local session_replication_role = replica; ${fill} commit`)
  }
}
