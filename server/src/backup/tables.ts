import { createHash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'

export type Handle = InstanceType<typeof Sqlite>
export type Value = string | number | bigint | Buffer | null
export type Row = Readonly<Record<string, Value>>

export interface Table {
  name: string
  columns: readonly string[]
  key: readonly string[]
}

/** How much of a table there is, and a digest that does not depend on the order of its rows. */
export interface Tally {
  rows: number
  sha256: string
}

export type Tallies = Readonly<Record<string, Tally>>

/** Leases end with their process. The lists are computed from the other tables, and differ between engines. */
const isCopied = (name: string) => !/^(sqlite_|leases$|listed_)/.test(name)

/** The tables of a registry, read from a SQLite database: every backup is one. */
export const listTables = (handle: Handle): Table[] => {
  const names = handle
    .prepare<[], { name: string }>(`select name from sqlite_master where type = 'table' order by name`)
    .all()
    .map(({ name }) => name)
  return names.filter(isCopied).map((name) => {
    const columns = handle.pragma(`table_info(${name})`) as { name: string; pk: number }[]
    return {
      name,
      columns: columns.map((column) => column.name).sort(),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
    }
  })
}

const canonical = (value: Value | undefined) => {
  if (Buffer.isBuffer(value)) return { base64: value.toString('base64') }
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}

const modulus = 1n << 256n

export const createTally = (columns: readonly string[]) => {
  let rows = 0
  let sum = 0n
  return {
    add: (row: Row) => {
      const text = JSON.stringify(columns.map((column) => canonical(row[column])))
      rows += 1
      sum = (sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % modulus
    },
    end: (): Tally => ({ rows, sha256: sum.toString(16).padStart(64, '0') }),
  }
}

/** All rows of a table, by its key. */
export const readRows = (handle: Handle, { name, columns, key }: Table): IterableIterator<Row> =>
  handle.prepare<[], Row>(`select ${columns.join(', ')} from ${name} order by ${key.join(', ')}`).iterate()

/** `onRow` is called after every row. */
export const tallyTables = (handle: Handle, onRow: () => void = () => {}): Tallies =>
  Object.fromEntries(
    listTables(handle).map((table) => {
      const tally = createTally(table.columns)
      for (const row of readRows(handle, table)) {
        tally.add(row)
        onRow()
      }
      return [table.name, tally.end()]
    }),
  )

export const countRows = (handle: Handle): number =>
  listTables(handle).reduce(
    (sum, { name }) =>
      sum + (handle.prepare<[], { count: number }>(`select count(*) as count from ${name}`).get()?.count ?? 0),
    0,
  )

/** Names of the tables that differ, with both counts. */
export const differencesOf = (expected: Tallies, found: Tallies): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((name) => {
    const [a, b] = [expected[name], found[name]]
    return a?.rows === b?.rows && a?.sha256 === b?.sha256 ? [] : [`${name} (${a?.rows ?? 0} and ${b?.rows ?? 0} rows)`]
  })
