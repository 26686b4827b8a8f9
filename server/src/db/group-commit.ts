import { Refusal } from '@countersign/sdk/contract'
import type { Insertable } from 'kysely'
import type { Append } from './engine.ts'
import { failureOf } from './retry.ts'
import type { Schema } from './schema.ts'

interface Waiting<Row> {
  row: Row
  resolve: () => void
  reject: (error: unknown) => void
}

const maxBatch = 256
const maxWaiting = 10_000

/**
 * Inserts that arrive while a batch is written and waits for the disk share the next one; a second batch beside it would halve both
 * (docs/benchmarks.md). `insert` resolves after its row is durable. If a batch fails, all its inserts are rejected, except that a conflict
 * of one row does not fail the others.
 */
export const createGroupCommit = <Table extends keyof Schema>(append: Append<Table>) => {
  type Row = Insertable<Schema[Table]>
  let waiting: Waiting<Row>[] = []
  let isPlanned = false

  /** Rows that wait behind a lock are rejected with those that found it: they would wait for it in turn. */
  const rejectAll = (batch: Waiting<Row>[], error: unknown) => {
    const failure = failureOf(error)
    const isLocked = failure === 'locked' || failure === 'busy'
    const rejected = isLocked ? [...batch, ...waiting] : batch
    if (isLocked) waiting = []
    for (const { reject } of rejected) reject(error)
  }

  const commit = async (batch: Waiting<Row>[]): Promise<void> => {
    try {
      await append(batch.map(({ row }) => row))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (batch.length > 1 && failureOf(error) === 'unique') {
        const half = Math.ceil(batch.length / 2)
        await commit(batch.slice(0, half))
        await commit(batch.slice(half))
        return
      }
      rejectAll(batch, error)
    }
  }

  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      await commit(batch)
    }
    isPlanned = false
  }

  const insert = (row: Row) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new Refusal('unavailable', 'Too many writes are waiting. Try again in a moment.'))
        return
      }
      waiting.push({ row, resolve, reject })
      if (isPlanned) return
      isPlanned = true
      // One turn of the event loop: requests that were read together are committed together.
      setImmediate(flush)
    })

  return { insert, waiting: () => waiting.length }
}
