import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dialect } from 'kysely'

const turnMs = 10

/** Waits for the next turn of the event loop if this one has taken long. */
const createGiveWay = () => {
  let since: number | undefined
  return async () => {
    if (since === undefined) {
      since = performance.now()
      setImmediate(() => {
        since = undefined
      })
    } else if (performance.now() - since > turnMs) await nextTurn()
  }
}

/**
 * SQLite answers within the turn, so a job of ten thousand queries would finish before any request is read. Sequential callers yield to
 * others with this.
 */
export const givingWay = (dialect: Dialect): Dialect => {
  const giveWay = createGiveWay()
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async (options) => {
        await giveWay()
        return acquire(options)
      }
      return driver
    },
  }
}
