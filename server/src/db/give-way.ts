import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dialect } from 'kysely'

const turnMs = 10

/** Waits for the next turn of the event loop where this one has been at work for long. */
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
 * SQLite answers within the turn, so that a job of ten thousand queries would be done before any request is read. With this
 * whoever asks one after the other lets others in between.
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
