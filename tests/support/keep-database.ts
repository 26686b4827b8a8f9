import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { World } from './world.ts'

/**
 * Saves the content of a world's SQLite database, and returns a function that restores it: a hundred times faster than
 * making it again.
 */
export const keepDatabase = async ({ databaseUrl, dataDir }: Pick<World, 'databaseUrl' | 'dataDir'>) => {
  const file = databaseUrl.slice('sqlite:'.length)
  const kept = join(dataDir, 'kept.db')
  await copyDatabase(file, kept)
  return () => copyDatabase(kept, file)
}

const copyDatabase = async (from: string, to: string) => {
  const database = new Sqlite(from)
  await database.backup(to)
  database.close()
}
