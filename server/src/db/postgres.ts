import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { fromDatabase, markingErrors } from './database-errors.ts'
import { compileStatement, type Database, type StatementListener } from './engine.ts'
import { retried } from './retry.ts'
import type { Db, Schema, Tx } from './schema.ts'

export interface PostgresOptions {
  url: string
  poolSize?: number
  listen?: StatementListener
}

const int8 = 20

/** Counts and times are far below 2^53; pg would return them as text. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export const openPostgres = ({ url, poolSize = 10, listen }: PostgresOptions): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // An idle connection that dies is replaced at the next query; without a listener its error would crash the process.
  pool.on('error', () => {})
  const db: Db = new Kysely<Schema>({
    dialect: markingErrors(new PostgresDialect({ pool })),
    log: listen && ((event) => listen(event.query.sql)),
  })
  let statements = 0

  return {
    engine: 'postgres',
    folder: null,
    read: db,

    transaction: (work) => retried(() => db.transaction().execute((tx) => work(tx as Tx))),

    statement: (build) => {
      const { sql: text, order } = compileStatement(db, build)
      const name = `countersign_${++statements}`
      return async (parameters) => {
        listen?.(text)
        const { rows } = await fromDatabase(pool.query({ name, text, values: order(parameters) }))
        return rows
      }
    },

    appender: (table, columns) => {
      const textFor = (count: number) => {
        const tuple = (row: number) =>
          `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`
        return `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: count }, (_, row) => tuple(row)).join(', ')}`
      }
      return async (rows) => {
        const text = textFor(rows.length)
        listen?.(text)
        const values = rows.flatMap((row) => columns.map((column) => (row as Record<string, unknown>)[column]))
        await retried(() => fromDatabase(pool.query(text, values)))
      }
    },

    ping: async () => {
      await fromDatabase(pool.query('select 1'))
    },

    close: () => db.destroy(),
  }
}
