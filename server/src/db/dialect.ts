import { sql } from 'kysely'
import type { Database } from './engine.ts'
import type { ListedTable } from './full-text/engine.ts'
import { createPostgresTextIndex } from './full-text/postgres.ts'
import { createSqliteTextIndex } from './full-text/sqlite.ts'
import { liftTimeouts } from './lift-timeouts.ts'
import type { Tx } from './schema.ts'

export interface Dialect {
  /** Lifts the statement timeout for the rest of the transaction: building an index may take long. */
  allowLongStatements: (tx: Tx) => Promise<unknown>
  /** What full-text search of a listed table needs in addition to the table. */
  createTextIndex: (tx: Tx, table: ListedTable) => Promise<unknown>
}

/** Where the engines must differ, the difference has a name here. */
export const dialects = {
  sqlite: { allowLongStatements: async () => {}, createTextIndex: createSqliteTextIndex },
  postgres: {
    allowLongStatements: (tx) => sql.raw(liftTimeouts).execute(tx),
    createTextIndex: createPostgresTextIndex,
  },
} as const satisfies Record<Database['engine'], Dialect>
