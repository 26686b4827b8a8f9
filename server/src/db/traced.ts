import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, StatementListener } from './engine.ts'

/** Called when a transaction begins; what it returns, when the transaction has ended. */
export type TraceTransaction = (
  engine: Database['engine'],
) => (ended: { statements: readonly string[]; rows?: number; isFailed: boolean }) => void

/** Traces transactions with the texts of their statements, in which parameters stand for values. */
export const createDatabaseTrace = (trace: TraceTransaction) => {
  const current = new AsyncLocalStorage<string[]>()

  const traced = async <T>(engine: Database['engine'], work: () => Promise<T>, rows?: number): Promise<T> => {
    const end = trace(engine)
    const statements: string[] = []
    let isFailed = true
    try {
      const done = await current.run(statements, work)
      isFailed = false
      return done
    } finally {
      end({ statements, isFailed, ...(rows !== undefined && { rows }) })
    }
  }

  const listen: StatementListener = (text) => {
    if (!/^(begin|commit|rollback)\b/i.test(text)) current.getStore()?.push(text)
  }

  const of = (database: Database): Database => ({
    ...database,
    transaction: (work, options) => traced(database.engine, () => database.transaction(work, options)),
    quickTransaction: (work) => traced(database.engine, () => database.quickTransaction(work)),
    appender: (table, columns) => {
      const append = database.appender(table, columns)
      return (rows) => traced(database.engine, () => append(rows), rows.length)
    },
  })

  return { listen, of }
}
