import type { Database } from '../engine.ts'
import type { FullText } from './engine.ts'
import { findAbilities, postgresFullText } from './postgres.ts'
import { sqliteFullText } from './sqlite.ts'

/** The full-text search that the database supports. Detected once, after the schema is in place. */
export const openFullText = async (database: Database): Promise<FullText> => {
  switch (database.engine) {
    case 'sqlite':
      return sqliteFullText
    case 'postgres':
      return postgresFullText(await findAbilities(database.read))
    default:
      return database.engine satisfies never
  }
}
