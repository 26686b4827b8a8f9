import { Kysely, PostgresDialect } from 'kysely'
import { compileStatement, type Database, type StatementListener } from './engine.ts'
import { createPostgresPool, lockTimeoutMs } from './postgres-pool.ts'
import { createQueues } from './queues.ts'
import { failureOf, retried } from './retry.ts'
import type { Db, Schema, Tx } from './schema.ts'

const fullForMs = 2_000

export interface PostgresOptions {
  url: string
  poolSize?: number
  listen?: StatementListener | undefined
  /** Called when the database stops answering, and when it answers again. */
  onSilence?: ((isSilent: boolean) => void) | undefined
}

export const openPostgres = ({ url, poolSize = 10, listen, onSilence }: PostgresOptions): Database => {
  const pool = createPostgresPool({ url, size: poolSize, onSilence })
  // With one pool, transactions that wait for a row could take every connection, while the one that holds it needs another to read.
  const transactions = createPostgresPool({ url, size: poolSize })
  const kyselyOn = (connections: typeof pool): Db =>
    new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: connections }),
      log: listen && ((event) => listen(event.query.sql)),
    })
  const db = kyselyOn(pool)
  const writer = kyselyOn(transactions)
  let statements = 0

  let fullUntil = 0
  const noticingFull = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (failureOf(error) === 'full') fullUntil = performance.now() + fullForMs
      throw error
    })
  const inTurn = createQueues({
    waitMs: lockTimeoutMs,
    tooLate: () => Object.assign(new Error('Other writers of this provider take too long'), { code: '55P03' }),
  })
  const transaction: Database['transaction'] = (work, { writer: name } = {}) => {
    const run = () => noticingFull(retried(() => writer.transaction().execute((tx) => work(tx as Tx))))
    return name === undefined ? run() : inTurn(name, run)
  }

  return {
    engine: 'postgres',
    folder: null,
    read: db,

    transaction,
    // PostgreSQL itself syncs the commits of several connections together, also those of `appender`.
    quickTransaction: (work) => transaction(work),
    sync: async () => {},

    statement: (build) => {
      const { sql: text, order } = compileStatement(db, build)
      const name = `countersign_${++statements}`
      return async (parameters) => {
        listen?.(text)
        const { rows } = await pool.query({ name, text, values: order(parameters) })
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
        await noticingFull(retried(() => pool.query({ text, values })))
      }
    },

    isFull: () => performance.now() < fullUntil,

    usage: () => ({ pool: pool.usage(), walBytes: null }),

    ping: async () => {
      await pool.query({ text: 'select 1', values: [] })
    },

    close: async () => {
      await Promise.all([db.destroy(), writer.destroy()])
    },
  }
}
