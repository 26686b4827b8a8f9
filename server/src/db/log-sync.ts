import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

const openFile = promisify(open)
const syncFile = promisify(fdatasync)
const closeFile = promisify(close)

/**
 * Syncs SQLite's write-ahead log to the disk, as `synchronous = FULL` does at each commit, but off the event loop, which meanwhile reads
 * the next requests. After a failure the state of the disk is unknown, so every later call is rejected.
 */
export const createLogSync = (databaseFile: string) => {
  let file: Promise<number> | undefined
  let failed: Error | undefined

  const check = () => {
    if (failed) throw failed
  }

  return {
    /** Throws once the disk has failed. */
    check,

    /** Resolves when everything that was committed before the call is on the disk. */
    sync: async () => {
      check()
      // The log exists from the first commit until the last connection is closed. Closing it later drops no lock: SQLite locks other
      // files.
      file ??= openFile(`${databaseFile}-wal`, 'r+')
      try {
        await syncFile(await file)
      } catch (cause) {
        failed = Object.assign(new Error('The database log could not be written to disk', { cause }), {
          code: 'SQLITE_IOERR_FSYNC',
        })
        throw failed
      }
    },

    close: async () => {
      const opened = file
      file = undefined
      // A log that could not be opened has nothing to close; `sync` has reported it.
      await opened?.then(closeFile, () => {})
    },
  }
}
