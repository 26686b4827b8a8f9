import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from './sqlite.ts'

const openEmpty = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-sqlite-'))
  const file = join(folder, 'test.db')
  const database = openSqlite({ file })
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await database.transaction(async (tx) => sql`create table leases (name text)`.execute(tx))
  return { database, file }
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

it('rejects an append whose log cannot be synced to disk', async () => {
  const { database, file } = await openEmpty()
  const append = database.appender('leases', ['name'])
  rmSync(`${file}-wal`)
  await expect(append([{ name: 'a' }] as never)).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
})
