import { join } from 'node:path'
import Database from 'better-sqlite3'

/**
 * Keeps a second `npm start` away from the same folder: both would share the database and overwrite each other's certificates. The lock is
 * an open transaction, so the system releases it however this process ends.
 */
export const lockFolder = (folder: string, url: string): { release(): void } => {
  const file = new Database(join(folder, 'npm-start.lock'), { timeout: 0 })
  try {
    file.exec('begin immediate; create table if not exists running (url text, pid integer); delete from running')
    file.prepare('insert into running values (?, ?)').run(url, process.pid)
    file.exec('commit; begin immediate')
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_BUSY') throw error
    const running = file.prepare<[], { url: string; pid: number }>('select url, pid from running').get()
    const name = running === undefined ? 'A registry' : `The registry at ${running.url} (process ${running.pid})`
    const isSamePort = running !== undefined && new URL(running.url).port === new URL(url).port
    const port = isSamePort ? `PORT=${Number(new URL(url).port) + 100} ` : ''
    throw new Error(
      `${name} already runs in the folder ${folder}. Stop it first, or choose another folder${port && ' and port'}: ${port}DATA_DIR=${folder}-2 npm start`,
    )
  }
  // Keeps the lock: a database that nothing refers to is closed.
  process.once('exit', () => file.close())
  return { release: () => file.close() }
}
