import type { Database, StatementListener } from './engine.ts'

/** `postgres://…` opens PostgreSQL, `sqlite:FILE` the embedded database. Only the engine in use is loaded. */
export const openDatabase = async (
  url: string,
  listen?: StatementListener,
  onSilence?: (isSilent: boolean) => void,
): Promise<Database> => {
  if (url.startsWith('sqlite:')) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite({ file: url.slice('sqlite:'.length), listen })
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres({ url, listen, onSilence })
}
