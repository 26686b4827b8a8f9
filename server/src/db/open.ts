import type { Database, StatementListener } from './engine.ts'

export interface DatabaseListeners {
  /** Called when the database stops answering, and when it answers again. */
  onSilence?: (isSilent: boolean) => void
  /** Called when the file of SQLite is damaged or its disk failed. */
  onBroken?: (cause: unknown) => void
}

/** `postgres://…` opens PostgreSQL, `sqlite:FILE` the embedded database. Only the engine in use is loaded. */
export const openDatabase = async (
  url: string,
  listen?: StatementListener | undefined,
  { onSilence, onBroken }: DatabaseListeners = {},
): Promise<Database> => {
  if (url.startsWith('sqlite:')) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite({ file: url.slice('sqlite:'.length), listen, onBroken })
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres({ url, listen, onSilence })
}
