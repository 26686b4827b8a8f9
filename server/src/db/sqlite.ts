import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { createFolderDurably } from '../durable-file.ts'
import { batched } from './batched.ts'
import { compileStatement, type Database, type StatementListener } from './engine.ts'
import { givingWay } from './give-way.ts'
import { createLogSync } from './log-sync.ts'
import { retried } from './retry.ts'
import type { Db, Schema, Tx } from './schema.ts'

type Handle = InstanceType<typeof Sqlite>

/** better-sqlite3 waits for another process inside the event loop, so it waits briefly and we retry outside of it. */
const busyTimeoutMs = 50

/** Kysely compiles each query every time; a prepared statement is ten times cheaper. */
const cacheStatements = (handle: Handle, listen: StatementListener | undefined) => {
  const statements = new Map<string, Sqlite.Statement>()
  const prepare = (text: string) => {
    listen?.(text)
    const known = statements.get(text)
    if (known) return known
    const statement = handle.prepare(text)
    if (statements.size >= 500) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return { prepare, close: () => handle.close() }
}

const openHandle = (file: string, readonly: boolean): Handle => {
  const handle = new Sqlite(file, { readonly, timeout: busyTimeoutMs })
  if (!readonly) {
    handle.pragma('journal_mode = WAL')
    // This build's default under WAL is NORMAL, which can lose acknowledged commits when power fails.
    handle.pragma('synchronous = FULL')
    // In a 32 MB log the same pages are written many times, but only once into the database.
    handle.pragma('wal_autocheckpoint = 8000')
  }
  handle.pragma('foreign_keys = ON')
  handle.pragma('cache_size = -65536')
  return handle
}

/** Not the damage of a search index: links don't depend on it. Nor a full disk, which some builds report as another `SQLITE_IOERR`. */
const damageCodes = [
  'SQLITE_CORRUPT',
  'SQLITE_CORRUPT_INDEX',
  'SQLITE_NOTADB',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_IOERR_DIR_FSYNC',
]
const isDamage = (error: unknown) =>
  error instanceof Error && 'code' in error && damageCodes.includes(String(error.code))

export interface SqliteOptions {
  file: string
  /** Only for measuring the cost of durability: syncing inside each commit, or not at all. */
  synchronous?: 'FULL' | 'FULL in the commit' | 'NORMAL'
  listen?: StatementListener
  /** Called when the file turned out to be damaged, or the disk failed: what is stored is uncertain from then on. */
  onBroken?: ((cause: unknown) => void) | undefined
}

export const openSqlite = ({ file, synchronous = 'FULL', listen, onBroken }: SqliteOptions): Database => {
  createFolderDurably(dirname(file))
  const writerHandle = openHandle(file, false)
  // Many writers may wait for another process, one after the other, each inside the event loop.
  writerHandle.pragma('busy_timeout = 2')
  const setSynchronous = (mode: 'FULL' | 'NORMAL') => writerHandle.exec(`pragma synchronous = ${mode}`)
  setSynchronous(synchronous === 'NORMAL' ? 'NORMAL' : 'FULL')
  const log = createLogSync(file)
  const readerHandle = openHandle(file, true)
  const writerCache = cacheStatements(writerHandle, listen)
  const readerCache = cacheStatements(readerHandle, listen)
  const noticeDamage = (error: unknown) => {
    if (isDamage(error)) onBroken?.(error)
  }
  const kyselyOn = (database: typeof readerCache): Db =>
    new Kysely<Schema>({
      dialect: givingWay(new SqliteDialect({ database })),
      log: (event) => {
        if (event.level === 'error') noticeDamage(event.error)
      },
    })
  const writer = kyselyOn(writerCache)
  const reader = kyselyOn(readerCache)
  // Kysely's own transaction begins deferred, and a deferred transaction that turns into a write cannot be retried.
  const write = async <T>(connection: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await work(connection as unknown as Tx)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      if (writerHandle.inTransaction) await sql`rollback`.execute(connection)
      throw error
    }
  }

  const frequentOn = (handle: Handle) => ({ handle, begin: handle.prepare('begin'), commit: handle.prepare('commit') })
  const frequent = { onWriter: frequentOn(writerHandle), onReader: frequentOn(readerHandle) }
  /**
   * Frequent statements of one turn share a transaction, because locking the write-ahead log takes longer than most of them
   * (docs/benchmarks.md). They run on the writer, because each commit empties the page cache of every other connection. While the writer has an
   * open transaction, which others must not see, they run on the reader.
   */
  const readTogether = batched<(on: keyof typeof frequent) => unknown, unknown>((runAll) => {
    const on = writerHandle.inTransaction ? 'onReader' : 'onWriter'
    const { handle, begin, commit } = frequent[on]
    begin.run()
    try {
      runAll((read) => read(on))
      commit.run()
    } catch (error) {
      noticeDamage(error)
      // SQLite ends a transaction itself after some errors. One left open would block every write.
      if (handle.inTransaction) handle.exec('rollback')
      throw error
    }
  })

  /** Without waiting for the disk at the commit. */
  const unsynced = async <T>(work: () => Promise<T> | T): Promise<T> => {
    if (synchronous === 'NORMAL') return work()
    setSynchronous('NORMAL')
    try {
      return await work()
    } finally {
      setSynchronous('FULL')
    }
  }

  const syncLog = async () => {
    try {
      await log.sync()
    } catch (error) {
      noticeDamage(error)
      throw error
    }
  }

  return {
    engine: 'sqlite',
    folder: dirname(file),
    read: reader,

    transaction: (work) => retried(() => writer.connection().execute((connection) => write(connection, work))),

    quickTransaction: (work) =>
      retried(() => writer.connection().execute((connection) => unsynced(() => write(connection, work)))),

    sync: async () => {
      if (synchronous !== 'NORMAL') await syncLog()
    },

    statement: (build) => {
      const compile = () => {
        const { sql: text, order } = compileStatement(reader, build)
        return { text, order, onWriter: writerHandle.prepare(text), onReader: readerHandle.prepare(text) }
      }
      // At the first call: compiling all of them takes a quarter of a start, and commands need few.
      let compiled: ReturnType<typeof compile> | undefined
      return (parameters) =>
        readTogether((on) => {
          try {
            compiled ??= compile()
            listen?.(compiled.text)
            return compiled[on].all(...compiled.order(parameters))
          } catch (error) {
            noticeDamage(error)
            throw error
          }
        }) as Promise<never>
    },

    appender: (table, columns) => {
      const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      const insert = writerHandle.prepare(text)
      const insertAll = writerHandle.transaction((rows: readonly Record<string, unknown>[]) => {
        for (const row of rows) insert.run(columns.map((column) => row[column]))
      })
      const commit = (rows: readonly object[]) =>
        synchronous === 'FULL' ? unsynced(() => insertAll.immediate(rows as never)) : insertAll.immediate(rows as never)
      return async (rows) => {
        listen?.(text)
        // Wait for the connection even though the work is synchronous: another transaction may be open on it.
        try {
          await retried(() => writer.connection().execute(async () => commit(rows)))
        } catch (error) {
          noticeDamage(error)
          throw error
        }
        if (synchronous === 'FULL') await syncLog()
      }
    },

    // Then no write succeeds.
    isFull: () => false,

    usage: () => ({
      pool: null,
      walBytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    }),

    ping: async () => {
      log.check()
      readerHandle.prepare('select 1').get()
    },

    close: async () => {
      await log.close()
      await reader.destroy()
      await writer.destroy()
    },
  }
}
