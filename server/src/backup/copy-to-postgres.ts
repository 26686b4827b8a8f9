import { Refusal } from '@countersign/sdk/contract'
import Sqlite from 'better-sqlite3'
import type { Database } from '../db/engine.ts'
import type { Tx } from '../db/schema.ts'
import { allowLongWork, insertRows, tallyPages } from './postgres-rows.ts'
import { createProgress } from './progress.ts'
import { countRows, differencesOf, listTables, type Row, readRows, type Tallies, tallyTables } from './tables.ts'

const pageRows = 1_000

const checkIsEmpty = async (tx: Tx) => {
  for (const table of ['providers', 'signing_keys'] as const) {
    const row = await tx.selectFrom(table).selectAll().limit(1).executeTakeFirst()
    if (row) throw new Refusal('already_created', `The PostgreSQL database already has a registry. Use an empty one.`)
  }
}

/**
 * Copies a SQLite database with the current schema into an empty PostgreSQL database with the same schema. Then reads both and compares
 * every table; a difference rolls everything back.
 */
export const copyToPostgres = async (
  file: string,
  target: Database,
  finish: (tx: Tx) => Promise<void> = async () => {},
): Promise<Tallies> => {
  const handle = new Sqlite(file, { readonly: true })
  try {
    return await target.transaction(async (tx) => {
      await allowLongWork(tx)
      await checkIsEmpty(tx)
      const tables = listTables(handle)
      const progress = createProgress('Copying  ', countRows(handle) * 3)
      for (const table of tables) {
        await tx.deleteFrom(table.name as 'migrations').execute()
        let page: Row[] = []
        for (const row of readRows(handle, table)) {
          page.push(row)
          progress.add()
          if (page.length < pageRows) continue
          await insertRows(tx, table, page)
          page = []
        }
        await insertRows(tx, table, page)
      }
      const expected = tallyTables(handle, () => progress.add())
      const found = await tallyPages(tx, tables, () => progress.add())
      progress.end()
      const differences = differencesOf(expected, found)
      if (differences.length > 0)
        throw new Refusal('unavailable', `The copy differs from its source in ${differences.join(', ')}.`)
      await finish(tx)
      return found
    })
  } finally {
    handle.close()
  }
}
