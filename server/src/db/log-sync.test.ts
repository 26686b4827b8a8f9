import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogSync } from './log-sync.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the log of the database', () => {
  it('rejects everything after the disk failed once', async () => {
    const log = createLogSync(join(folder, 'missing', 'a.db'))
    expect(log.check).not.toThrow()
    const failure = { code: 'SQLITE_IOERR_FSYNC', message: 'The database log could not be written to disk' }
    await expect(log.sync()).rejects.toMatchObject(failure)
    expect(log.check).toThrow(expect.objectContaining(failure))
    await expect(log.sync()).rejects.toMatchObject(failure)
  })

  it('is synced once per request', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'countersign-log-')), 'a.db')
    writeFileSync(`${file}-wal`, 'frames')
    const log = createLogSync(file)
    await Promise.all([log.sync(), log.sync()])
    await log.sync()
    await log.close()
    await log.close()
  })
})
