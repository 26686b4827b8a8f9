import { Kysely, PostgresDialect, sql } from 'kysely'
import { isFromDatabase } from './database-errors.ts'
import type { Database } from './engine.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { failureOf } from './retry.ts'
import type { Db, Schema } from './schema.ts'

/** Why the primary is read although there is a standby. */
export type StandbyTrouble = 'unreachable' | 'lagging' | 'not_a_standby' | 'other_cluster'

export interface StandbyStatus {
  /** Null: the standby can be read. */
  trouble: StandbyTrouble | null
  /** Everything that was committed on the primary so long ago is there; null if it has never kept up. */
  lagMs: number | null
}

/** A streaming standby, for reads whose result is compared with the primary. */
export interface Standby {
  /** Reads from the standby; undefined if it must be read from the primary instead. */
  attempt<Found>(find: (db: Db) => Promise<Found>): Promise<Found | undefined>
  status(): StandbyStatus
  /** Asks both servers how far they are. Runs by itself after `watch`. */
  look(): Promise<void>
  watch(onChange: (trouble: StandbyTrouble | null) => void): void
  close(): Promise<void>
}

interface Options {
  url: string
  primary: Pick<Database, 'read'>
  maxLagMs: number
}

interface Position {
  cluster: string
  isStandby: boolean
  bytes: number
}

const lookEveryMs = 500

/** How far the log is: flushed on a primary, which includes all acknowledged commits, and replayed on a standby. */
const readPosition = async (db: Db): Promise<Position> => {
  const { rows } = await sql<Position>`select (select system_identifier from pg_control_system())::text as cluster,
    pg_is_in_recovery() as "isStandby",
    pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end, '0/0')::bigint as bytes`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('The server did not return its position')
  return row
}

/**
 * Measures the lag with one clock: it remembers when the primary was at which position, and finds the newest of these positions that the
 * standby has replayed.
 */
export const openStandby = ({ url, primary, maxLagMs }: Options): Standby => {
  const pool = createPostgresPool({ url, size: 10 })
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  let positions: { at: number; bytes: number }[] = []
  let currentAt: number | undefined
  let fault: Exclude<StandbyTrouble, 'lagging'> | null = 'unreachable'
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const lagMs = () => (currentAt === undefined ? null : performance.now() - currentAt)

  const status = (): StandbyStatus => {
    const lag = lagMs()
    return { trouble: fault ?? (lag === null || lag > maxLagMs ? 'lagging' : null), lagMs: lag }
  }

  const faultOf = (there: Position, here: Position) => {
    if (there.cluster !== here.cluster) return 'other_cluster'
    return there.isStandby ? null : 'not_a_standby'
  }

  const look = async () => {
    const at = performance.now()
    // Without an answer of the primary the lag grows.
    const here = await readPosition(primary.read).catch(() => undefined)
    if (!here) return
    positions.push({ at, bytes: here.bytes })
    try {
      const there = await readPosition(db)
      fault = faultOf(there, here)
      const reached = positions.findLastIndex(({ bytes }) => bytes <= there.bytes)
      // Behind all of them: it has never kept up, or was restarted with an earlier state.
      currentAt = positions[reached]?.at
      if (reached > 0) positions = positions.slice(reached)
    } catch {
      fault = 'unreachable'
    } finally {
      // While the standby is away, half of the positions are enough.
      if (positions.length > 1_000) positions = positions.filter((_, index) => index % 2 === 0)
    }
  }

  return {
    status,
    look,

    attempt: async (find) => {
      if (status().trouble !== null) return undefined
      try {
        return await find(db)
      } catch (error) {
        const failure = failureOf(error)
        // What took too long here would also take long on the primary.
        if (failure === 'locked' || (failure === undefined && !isFromDatabase(error))) throw error
        if (failure === 'connection') fault = 'unreachable'
        return undefined
      }
    },

    watch: (onChange) => {
      let before: StandbyTrouble | null | undefined
      const repeat = async () => {
        await look()
        const { trouble } = status()
        if (trouble !== before) onChange(trouble)
        before = trouble
        if (!isClosed) timer = setTimeout(repeat, lookEveryMs)
      }
      void repeat()
    },

    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await db.destroy()
    },
  }
}
