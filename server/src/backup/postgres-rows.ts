import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'
import { createTally, type Row, type Table, type Tallies } from './tables.ts'

const pageRows = 1_000
/** PostgreSQL takes 65,535 parameters. */
const maxParameters = 30_000

const namesOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const valuesOf = (row: Row, names: readonly string[]) => sql.join(names.map((name) => sql`${row[name] ?? null}`))

/** One state of the database for the rest of the transaction, however long it takes. */
export const readOneState = async (tx: Tx) => {
  await sql`set transaction isolation level repeatable read, read only`.execute(tx)
  await allowLongWork(tx)
}

export const allowLongWork = async (tx: Tx) => {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** All rows of a table in pages, by its key. */
export async function* readPages(tx: Tx, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const after = last === undefined ? sql`true` : sql`(${namesOf(key)}) > (${valuesOf(last, key)})`
    const { rows } = await sql<Row>`select ${namesOf(columns)} from ${sql.table(name)} where ${after}
      order by ${namesOf(key)} limit ${sql.lit(pageRows)}`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    last = rows.at(-1)
  }
}

export const insertRows = async (tx: Tx, { name, columns }: Table, rows: readonly Row[]) => {
  const atOnce = Math.max(1, Math.floor(maxParameters / columns.length))
  for (let start = 0; start < rows.length; start += atOnce) {
    const tuples = rows.slice(start, start + atOnce).map((row) => sql`(${valuesOf(row, columns)})`)
    await sql`insert into ${sql.table(name)} (${namesOf(columns)}) values ${sql.join(tuples)}`.execute(tx)
  }
}

export const tallyPages = async (tx: Tx, tables: readonly Table[], onRow: () => void): Promise<Tallies> => {
  const tallies: [string, ReturnType<ReturnType<typeof createTally>['end']>][] = []
  for (const table of tables) {
    const tally = createTally(table.columns)
    for await (const rows of readPages(tx, table))
      for (const row of rows) {
        tally.add(row)
        onRow()
      }
    tallies.push([table.name, tally.end()])
  }
  return Object.fromEntries(tallies)
}
