import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from './engine.ts'
import type { Tx } from './schema.ts'

/** A database that can add to the transactions of work that does not know of it. */
export interface ScopedDatabase extends Database {
  /** Runs `before` at the beginning of the first transaction of `work`: both are done, or neither. */
  preceded<T>(before: (tx: Tx) => Promise<void>, work: () => Promise<T>): Promise<T>
  /** Runs `work` up to the end of its first transaction, and rolls it back. Throws what `work` would throw. */
  rehearse(work: () => Promise<unknown>): Promise<void>
}

class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

interface Scope {
  /** Wraps the next transaction; undefined once one was committed. */
  wrap: (<T>(work: (tx: Tx) => Promise<T>) => (tx: Tx) => Promise<T>) | undefined
}

/** Nothing waits for another server inside a transaction, as it would if one were held around all of `work`. */
export const scoped = (database: Database): ScopedDatabase => {
  const scopes = new AsyncLocalStorage<Scope>()

  return {
    ...database,

    transaction: async (work, options) => {
      const scope = scopes.getStore()
      if (!scope?.wrap) return database.transaction(work, options)
      const done = await database.transaction(scope.wrap(work), options)
      scope.wrap = undefined
      return done
    },

    preceded: async (before, work) => {
      const scope: Scope = {
        wrap: (next) => async (tx) => {
          await before(tx)
          return next(tx)
        },
      }
      const done = await scopes.run(scope, work)
      if (scope.wrap) await database.transaction(before)
      return done
    },

    rehearse: async (work) => {
      const scope: Scope = {
        wrap: (next) => async (tx) => {
          await next(tx)
          throw new Rehearsed()
        },
      }
      await scopes.run(scope, work).catch((error) => {
        if (!(error instanceof Rehearsed)) throw error
      })
      // Work that continues in the background is not part of the rehearsal.
      scope.wrap = undefined
    },
  }
}
