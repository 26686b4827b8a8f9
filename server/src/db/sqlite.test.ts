import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqlite } from './sqlite.ts'

const openEmpty = async (listen?: (sql: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-sqlite-'))
  const file = join(folder, 'test.db')
  const broken: unknown[] = []
  const database = openSqlite({ file, listen, onBroken: (cause) => broken.push(cause) })
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await database.transaction(async (tx) => sql`create table leases (name text)`.execute(tx))
  return { database, file, broken }
}

const synchronousIn = async ({ database }: Awaited<ReturnType<typeof openEmpty>>) => {
  const answer = await database.transaction((tx) => sql<{ synchronous: number }>`pragma synchronous`.execute(tx))
  return answer.rows[0]?.synchronous
}

it('commits with synchronous=FULL (2) again after an append', async () => {
  const opened = await openEmpty()
  expect(await synchronousIn(opened)).toBe(2)
  await opened.database.appender('leases', ['name'])([{ name: 'a' }] as never)
  expect(await synchronousIn(opened)).toBe(2)
})

it('commits with synchronous=FULL (2) again after a quick transaction, even if that failed', async () => {
  const opened = await openEmpty()
  const { quickTransaction } = opened.database
  const quick = await quickTransaction((tx) => sql<{ synchronous: number }>`pragma synchronous`.execute(tx))
  expect(quick.rows[0]?.synchronous).toBe(1)
  expect(await synchronousIn(opened)).toBe(2)
  await expect(quickTransaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await synchronousIn(opened)).toBe(2)
})

it('rejects an append whose log cannot be synced to disk, and reports it', async () => {
  const { database, file, broken } = await openEmpty()
  const append = database.appender('leases', ['name'])
  rmSync(`${file}-wal`)
  await expect(append([{ name: 'a' }] as never)).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
  expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
})

it('rejects a sync that the disk rejects, and reports it', async () => {
  const { database, file, broken } = await openEmpty()
  rmSync(`${file}-wal`)
  await expect(database.sync()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
  expect(broken).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
})

it('reports a damaged file when it reads it, but no other error', async () => {
  const { file, broken, database } = await openEmpty()
  await database.transaction(async (tx) => sql`insert into leases values ('a')`.execute(tx))
  await expect(sql`select missing from leases`.execute(database.read)).rejects.toThrow('no such column')
  expect(broken).toEqual([])
  await database.close()
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 4096), Buffer.alloc(4096, 1)]))
  const again = openSqlite({ file, onBroken: (cause) => broken.push(cause) })
  await expect(sql`select name from leases`.execute(again.read)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
  expect(broken).toMatchObject([{ code: 'SQLITE_CORRUPT' }])
  await again.close()
})

describe('frequent statements', () => {
  const open = async (listen?: (sql: string) => void) => {
    const { database, file } = await openEmpty(listen)
    const names = database.statement<object, { name: string }>((db) => db.selectFrom('leases').select('name'))
    const absolute = database.statement<{ of: string }, { is: number }>((db, parameter) =>
      db.selectNoFrom(sql<number>`abs(cast(${parameter('of')} as integer))`.as('is')),
    )
    return { database, file, names, absolute }
  }

  it('do not see what a transaction has not committed', async () => {
    const { database, names } = await open()
    await database.transaction(async (tx) => {
      await sql`insert into leases values ('a')`.execute(tx)
      expect(await names({})).toEqual([])
    })
    expect(await names({})).toEqual([{ name: 'a' }])
  })

  it('of one turn all see the same moment', async () => {
    let other: InstanceType<typeof Sqlite> | undefined
    let count = 0
    const { file, names } = await open((text) => {
      if (text.startsWith('select "name"') && ++count === 2) other?.exec(`insert into leases values ('a')`)
    })
    other = new Sqlite(file)
    onTestFinished(() => void other?.close())
    expect(await Promise.all([names({}), names({})])).toEqual([[], []])
    expect(await names({})).toEqual([{ name: 'a' }])
  })

  it('of one turn fail alone, and leave no transaction open', async () => {
    const { database, names, absolute } = await open()
    const smallest = (-(2n ** 63n)).toString()
    expect(await Promise.allSettled([absolute({ of: '-1' }), absolute({ of: smallest }), names({})])).toMatchObject([
      { value: [{ is: 1 }] },
      { reason: { message: 'integer overflow' } },
      { value: [] },
    ])
    await database.transaction((tx) => sql`insert into leases values ('a')`.execute(tx))
    expect(await names({})).toEqual([{ name: 'a' }])
  })
})
