import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

type Rows = readonly { name: string }[]

const clash = () => Object.assign(new Error('twice'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })

/** A table `leases` in memory: fails as told, keeps what was committed. */
const createTable = (failureFor: (rows: Rows, attempt: number) => Error | undefined = () => undefined) => {
  const kept: string[] = []
  const batches: number[] = []
  const append = async (rows: Rows) => {
    batches.push(rows.length)
    await Promise.resolve()
    const failure = failureFor(rows, batches.length)
    if (failure) throw failure
    kept.push(...rows.map(({ name }) => name))
  }
  const { insert } = createGroupCommit<'leases'>(append as never)
  return { kept, batches, insert: (name: string) => insert({ name, holder: 'x', expires_at: 0 }) }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)

it('commits what arrives together in one go, and resolves after it is kept', async () => {
  const table = createTable()
  await Promise.all(
    names(100).map(async (name) => {
      await table.insert(name)
      expect(table.kept).toContain(name)
    }),
  )
  expect(table.batches).toEqual([100])
  await table.insert('later')
  expect(table.batches).toEqual([100, 1])
})

it('commits no more than 256 at once, in the order in which they came', async () => {
  const table = createTable()
  await Promise.all(names(600).map((name) => table.insert(name)))
  expect(table.batches).toEqual([256, 256, 88])
  expect(table.kept).toEqual(names(600))
})

it('refuses all of a batch that failed, and none of the next', async () => {
  const table = createTable((_, attempt) => (attempt === 1 ? Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) : undefined))
  const failed = await Promise.allSettled(names(10).map((name) => table.insert(name)))
  expect(failed.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(Array(10).fill('SQLITE_FULL'))
  expect(table.kept).toEqual([])
  await table.insert('after')
  expect(table.kept).toEqual(['after'])
})

it('lets the clash of one row not take the others down', async () => {
  const table = createTable((rows) => (rows.some(({ name }) => name === 'row 3') ? clash() : undefined))
  const outcomes = await Promise.allSettled(names(6).map((name) => table.insert(name)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(table.kept).toEqual(names(6).filter((name) => name !== 'row 3'))
})

it('refuses more than it can hold, for now', async () => {
  const table = createTable()
  const outcomes = await Promise.allSettled(names(10_001).map((name) => table.insert(name)))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'unavailable' } }])
  expect(table.kept).toHaveLength(10_000)
})

it('writes the next batch while one waits for the disk, and no third', async () => {
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
  await insertAll(6)
  expect(batches).toEqual([3, 4])
  disk[0]?.()
  await expect.poll(() => batches).toEqual([3, 4, 11])
})
