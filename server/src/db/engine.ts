import { type Compilable, type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'

/** What the services know of a database. Two engines provide it: `sqlite.ts` and `postgres.ts`. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** The folder on this machine that the engine writes to; null if the data is on another server. */
  readonly folder: string | null
  /** For reading. Writes go through `transaction`, or on the hot path through `appender`. */
  readonly read: Db
  /**
   * Runs `work` as one write transaction and returns after it is durable. The engine may run the closure again, so it must have no other
   * effects: no network call, no password hash.
   *
   * Transactions of the same `writer` run one after the other in this process. Without it, those that wait for one provider's row could
   * take every connection, and PostgreSQL does not wake them in order.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { writer?: string | undefined }): Promise<T>
  /**
   * The same for what may be lost in a power cut, such as counts of requests: with SQLite it does not wait for the disk. What is written
   * after it and durable makes it durable.
   */
  quickTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Resolves when everything that was written before the call is durable, without stopping the event loop. */
  sync(): Promise<void>
  /** Compiles a query once. `parameter(name)` is a placeholder for a value given at each call. */
  statement<Parameters extends object, Row>(build: StatementBuilder<Parameters, Row>): Statement<Parameters, Row>
  /** Inserts rows into one table in one durable transaction; all or none. Columns that are null in every row get their default. */
  appender<Table extends keyof Schema>(
    table: Table,
    columns: readonly (keyof Insertable<Schema[Table]> & string)[],
  ): Append<Table>
  /** Whether a row was rejected for lack of space a moment ago, although others may still be stored: PostgreSQL finds room for small ones. */
  isFull(): boolean
  /** For metrics; asks no other server. */
  usage(): DatabaseUsage
  /** Rejects when the database cannot answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseUsage {
  /** Null for an engine without a pool. */
  pool: { busy: number; idle: number; waiting: number } | null
  /** Size of the write-ahead log; null if another server keeps it. */
  walBytes: number | null
}

export type Parameter<Parameters> = <Name extends keyof Parameters & string>(name: Name) => Parameters[Name]
/**
 * A parameter of a statement, in a subquery: a plain parameter in a join makes SQLite plan the join again at every call.
 */
export const value = (of: string): RawBuilder<string> => sql<string>`(select ${of})`

export type StatementBuilder<Parameters, Row> = (db: Db, parameter: Parameter<Parameters>) => Compilable<Row>
export type Statement<Parameters, Row> = (parameters: Parameters) => Promise<Row[]>
export type Append<Table extends keyof Schema> = (rows: readonly Insertable<Schema[Table]>[]) => Promise<void>

/** Called with every statement, so that tests can inspect them. */
export type StatementListener = (sql: string) => void

interface Placeholder {
  placeholder: string
}

const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' && value !== null && 'placeholder' in value

/** Compiles a query with placeholders into SQL and a function that orders the given values as the SQL needs them. */
export const compileStatement = <Parameters extends object, Row>(db: Db, build: StatementBuilder<Parameters, Row>) => {
  const parameter = ((name: string) => ({ placeholder: name })) as unknown as Parameter<Parameters>
  const compiled = build(db, parameter).compile()
  const slots = compiled.parameters
  const order = (parameters: Parameters): unknown[] => {
    const values = parameters as Record<string, unknown>
    return slots.map((slot) => (isPlaceholder(slot) ? values[slot.placeholder] : slot))
  }
  return { sql: compiled.sql, order }
}
