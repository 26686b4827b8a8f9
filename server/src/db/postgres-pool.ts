import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { markAsDatabaseError } from './database-errors.ts'
import { liftTimeouts } from './lift-timeouts.ts'
import { createSilenceWatch } from './silence.ts'

const int8 = 20

/** Counts and times are far below 2^53; pg would return them as text. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Includes the time in the queue for a connection. */
const connectTimeoutMs = 5_000
const probeTimeoutMs = 1_500
/** The server gives up first, so that the connection survives. */
const statementLimitMs = 5_500
/** Transactions that change the same row wait for each other; behind a locked table, they are stopped earlier. */
export const lockTimeoutMs = 2_000
/** When a table is locked, a request that has waited this long is assumed to wait for it. */
const waitedMs = 200
const lockedPauseMs = 50

const timeouts = {
  statement_timeout: 5_000,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: 10_000,
}
const setTimeouts = (command: 'set' | 'set local') =>
  Object.entries(timeouts)
    .map(([name, ms]) => `${command} ${name} = ${ms}`)
    .join('; ')

const stateOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isReadOnly = (error: unknown) => stateOf(error) === '25006'
const isAnswer = (error: unknown) => error instanceof pg.DatabaseError
/** After these, another connection may do better: to a server that was restarted, or to the new primary. */
const endsConnection = (error: unknown) =>
  !isAnswer(error) || (error as pg.DatabaseError).severity === 'FATAL' || isReadOnly(error)

/** Locks of whole tables that writes wait for. */
const findTableLock = `select 1 from pg_locks where locktype = 'relation' and relation >= 16384
  and database = (select oid from pg_database where datname = current_database())
  and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') limit 1`

const lockedState = '55P03'
const tableLocked = () => Object.assign(new Error('Another client has locked a table'), { code: lockedState })
const isBehindLock = (error: unknown) => stateOf(error) === lockedState

interface Session {
  /** ID of the server process behind this connection. */
  pid: number
  /**
   * A pooler between us and PostgreSQL may give every transaction another server connection: settings and named statements of the session
   * would be found by others, or not at all.
   */
  isPooled: boolean
  isBroken: boolean
  /** When the request asked for it. */
  since: number
  /** Within a transaction whose statements may take long. */
  isLong: boolean
}

export interface PostgresQuery {
  text: string
  values: unknown[]
  /** Under this name the server keeps the parsed statement. */
  name?: string
}

export interface PostgresPoolOptions {
  url: string
  size: number
  onSilence?: ((isSilent: boolean) => void) | undefined
}

/**
 * Connections to PostgreSQL that survive the server: a lost one is replaced at the next query, a silent server is noticed
 * (`silence.ts`), and every error is marked as the database's.
 */
export const createPostgresPool = ({ url, size, onSilence }: PostgresPoolOptions) => {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'countersign',
  }
  const sessions = new WeakMap<object, Session>()
  const clients = new Set<pg.Client>()

  const pool: pg.Pool = new pg.Pool({
    ...config,
    max: size,
    types,
    idleTimeoutMillis: 30_000,
    onConnect: async (connected) => {
      const client = connected as pg.Client
      // Without a listener, a connection that is lost between two statements would end the process.
      client.on('error', () => {})
      clients.add(client)
      client.once('end', () => clients.delete(client))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      // A pooler answers the login itself, with a process ID of its own.
      const pid = (client as unknown as { processID: number }).processID
      const isPooled = rows[0]?.pid !== pid
      sessions.set(client, { pid, isPooled, isBroken: false, since: performance.now(), isLong: false })
      if (!isPooled) await client.query(setTimeouts('set'))
    },
  })
  pool.on('error', () => {})

  const cut = (client: pg.ClientBase) => (client as pg.Client).connection.stream.destroy()

  type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

  /** Uses a separate connection, because all connections of the pool may be waiting. */
  const askAside = async (work: (ask: Ask) => Promise<unknown>) => {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: probeTimeoutMs })
    client.on('error', () => {})
    const inTime = async <T>(step: Promise<T>) => {
      // An answer that has already arrived is read first.
      const timer = setTimeout(() => setImmediate(() => cut(client)), probeTimeoutMs)
      return step.finally(() => clearTimeout(timer))
    }
    try {
      await inTime(client.connect())
      await work((text, values) => inTime(client.query(text, values)))
    } finally {
      cut(client)
    }
  }

  const probe = async () => {
    try {
      await askAside((ask) => ask('select 1'))
    } catch (error) {
      // A server that answers with an error, such as too many connections, is not silent.
      if (!isAnswer(error)) throw error
    }
  }

  let isEnded = false
  let cancelled: number[] = []

  /**
   * Requests that wait for a table some client has locked, or is about to, are rejected: it may take hours. Their statements are cancelled,
   * because connecting again for each would take longer than the second in which they must be answered.
   */
  const rejectBehindLock = async (ask: Ask) => {
    while (!isEnded && (await ask(findTableLock)).rowCount) {
      cancelled = []
      watch.abortOlder(waitedMs, tableLocked())
      if (cancelled.length > 0) await ask('select pg_cancel_backend(pid) from unnest($1::int[]) as pid', [cancelled])
      await pause(lockedPauseMs)
    }
  }

  const watch = createSilenceWatch({
    probe,
    onSlow: () => askAside(rejectBehindLock).catch(() => {}),
    onChange: (isSilent) => {
      // Idle connections to a server that vanished would have to time out one by one.
      if (isSilent) for (const client of clients) cut(client)
      onSilence?.(isSilent)
    },
  })

  const sessionOf = (client: pg.PoolClient): Session => {
    const session = sessions.get(client)
    if (!session) throw new Error('A connection was used before it was set up')
    return session
  }

  const acquire = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      const since = performance.now()
      let isAborted = false
      const abort = (reason: Error) => {
        isAborted = true
        wait.end(false)
        reject(markAsDatabaseError(reason))
      }
      const wait = watch.start(abort)
      pool.connect().then(
        (client) => {
          if (isAborted) return client.release()
          wait.end(false)
          sessionOf(client).since = since
          resolve(client)
        },
        (error: unknown) => {
          if (isAborted) return
          wait.end(isAnswer(error))
          reject(markAsDatabaseError(error))
        },
      )
    })

  const run = async (client: pg.PoolClient, query: PostgresQuery) => {
    const session = sessionOf(client)
    let aborted: Error | undefined
    const abort = (reason: Error) => {
      aborted ??= reason
      if (isBehindLock(reason) && !session.isPooled) {
        cancelled.push(session.pid)
        return
      }
      session.isBroken = true
      cut(client)
    }
    const wait = session.isLong
      ? watch.start(abort, { isLong: true })
      : watch.start(abort, { limitMs: statementLimitMs, since: session.since })
    try {
      const result = await client.query(query)
      wait.end(true)
      return result
    } catch (error) {
      wait.end(isAnswer(error))
      if (endsConnection(error)) session.isBroken = true
      throw markAsDatabaseError(aborted ?? error)
    }
  }

  const release = (client: pg.PoolClient, isDiscarded = false) => {
    const session = sessionOf(client)
    session.isLong = false
    client.release(isDiscarded || session.isBroken)
  }

  /** What Kysely uses: a connection for a transaction, or for one query. */
  const connect = async () => {
    const client = await acquire()
    const session = sessionOf(client)
    return {
      query: ((text: string, values: readonly unknown[]) => {
        if (text === liftTimeouts) session.isLong = true
        // A pooler keeps settings only within a transaction.
        const begins = text === 'begin' && session.isPooled
        return run(client, { text: begins ? `begin; ${setTimeouts('set local')}` : text, values: [...values] })
      }) as unknown as PostgresPoolClient['query'],
      release: (isDiscarded?: boolean) => release(client, isDiscarded),
    }
  }

  /** Runs one statement. */
  const query = async (given: PostgresQuery) => {
    const client = await acquire()
    try {
      const { text, values } = given
      return await run(client, sessionOf(client).isPooled ? { text, values } : given)
    } finally {
      release(client)
    }
  }

  /** Closes the connections, by force after a second: a silent server would never close its side. */
  const end = async () => {
    isEnded = true
    watch.close()
    const patience = setTimeout(() => {
      for (const client of clients) cut(client)
    }, 1_000)
    await pool.end()
    clearTimeout(patience)
  }

  const usage = () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })

  return { connect, query, end, usage, options: pool.options }
}
