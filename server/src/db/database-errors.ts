import type { DatabaseConnection, Dialect } from 'kysely'

const known = new WeakSet<object>()

/** Remembers that the database raised an error: `ENOENT` or `ECONNRESET` alone could come from a file or another service. */
export const fromDatabase = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (typeof error === 'object' && error !== null) known.add(error)
    throw error
  }
}

export const isFromDatabase = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && known.has(error)

/** A dialect whose connections mark every error they raise. */
export const markingErrors = (dialect: Dialect): Dialect => {
  const marked = new WeakSet<DatabaseConnection>()
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async (options) => {
        const connection = await fromDatabase(acquire(options))
        // The driver pools connections and returns the same object again.
        if (!marked.has(connection)) {
          marked.add(connection)
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = (query, executeOptions) => fromDatabase(execute(query, executeOptions))
        }
        return connection
      }
      return driver
    },
  }
}
