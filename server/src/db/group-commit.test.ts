import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

type Rows = readonly { name: string }[]

const clash = () => Object.assign(new Error('twice'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })

/** A table `leases` in memory: fails on demand, records what was committed. */
const createTable = (failureFor: (rows: Rows, attempt: number) => Error | undefined = () => undefined) => {
  const stored: string[] = []
  const batches: number[] = []
  const append = async (rows: Rows) => {
    batches.push(rows.length)
    await Promise.resolve()
    const failure = failureFor(rows, batches.length)
    if (failure) throw failure
    stored.push(...rows.map(({ name }) => name))
  }
  const { insert } = createGroupCommit<'leases'>(append as never)
  return { stored, batches, insert: (name: string) => insert({ name, holder: 'x', expires_at: 0 }) }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)

it('commits concurrent inserts together, and resolves once they are stored', async () => {
  const table = createTable()
  await Promise.all(
    names(100).map(async (name) => {
      await table.insert(name)
      expect(table.stored).toContain(name)
    }),
  )
  expect(table.batches).toEqual([100])
  await table.insert('later')
  expect(table.batches).toEqual([100, 1])
})

it('commits at most 256 at once, in order of arrival', async () => {
  const table = createTable()
  await Promise.all(names(600).map((name) => table.insert(name)))
  expect(table.batches).toEqual([256, 256, 88])
  expect(table.stored).toEqual(names(600))
})

it('rejects all of a failed batch, and none of the next', async () => {
  const table = createTable((_, attempt) =>
    attempt === 1 ? Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) : undefined,
  )
  const failed = await Promise.allSettled(names(10).map((name) => table.insert(name)))
  expect(failed.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
    Array(10).fill('SQLITE_FULL'),
  )
  expect(table.stored).toEqual([])
  await table.insert('after')
  expect(table.stored).toEqual(['after'])
})

it('a conflict of one row does not fail the others, nor make each of them a commit of its own', async () => {
  const table = createTable((rows) => (rows.some(({ name }) => name === 'row 3') ? clash() : undefined))
  const outcomes = await Promise.allSettled(names(64).map((name) => table.insert(name)))
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? index : []))).toEqual([3])
  expect(table.stored).toEqual(names(64).filter((name) => name !== 'row 3'))
  expect(table.batches).toEqual([64, 32, 16, 8, 4, 2, 2, 1, 1, 4, 8, 16, 32])
})

it('rejects more than it can queue, for now', async () => {
  const table = createTable()
  const outcomes = await Promise.allSettled(names(10_001).map((name) => table.insert(name)))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'unavailable' } }])
  expect(table.stored).toHaveLength(10_000)
})

it('collects what arrives while a batch waits for the disk', async () => {
  const disk: (() => void)[] = []
  const batches: number[] = []
  const append = (rows: Rows) => {
    batches.push(rows.length)
    return new Promise<void>((resolve) => disk.push(resolve))
  }
  const { insert } = createGroupCommit<'leases'>(append as never)
  const insertAll = async (count: number) => {
    for (const name of names(count)) void insert({ name, holder: 'x', expires_at: 0 })
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
  await insertAll(3)
  await insertAll(4)
  await insertAll(5)
  expect(batches).toEqual([3])
  disk[0]?.()
  await expect.poll(() => batches).toEqual([3, 9])
  disk[1]?.()
  await insertAll(2)
  await expect.poll(() => batches).toEqual([3, 9, 2])
})
