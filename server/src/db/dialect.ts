import { type SqlBool, sql } from 'kysely'
import type { Database } from './engine.ts'
import type { ListedTable } from './full-text/engine.ts'
import { createPostgresTextIndex } from './full-text/postgres.ts'
import { createSqliteTextIndex } from './full-text/sqlite.ts'
import type { Tx } from './schema.ts'

export interface Dialect {
  /** Case-insensitive containment. SQLite's `like` folds ASCII only. */
  like: 'like' | 'ilike'
  /** Lifts the time limit of statements for the rest of the transaction: building an index may take long. */
  allowLongStatements: (tx: Tx) => Promise<unknown>
  /** What full-text search of a listed table needs beside it. */
  createTextIndex: (tx: Tx, table: ListedTable) => Promise<unknown>
}

/** Where the engines must differ, the difference has a name here. */
export const dialects = {
  sqlite: { like: 'like', allowLongStatements: async () => {}, createTextIndex: createSqliteTextIndex },
  postgres: {
    like: 'ilike',
    allowLongStatements: (tx) => sql`set local statement_timeout = 0`.execute(tx),
    createTextIndex: createPostgresTextIndex,
  },
} as const satisfies Record<Database['engine'], Dialect>

/** A condition: the column contains the text, whatever its case; `%` and `_` mean themselves. */
export const containsIn =
  ({ engine }: Pick<Database, 'engine'>) =>
  (column: string, text: string) => {
    const pattern = `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
    return sql<SqlBool>`${sql.ref(column)} ${sql.raw(dialects[engine].like)} ${pattern} escape '\\'`
  }
