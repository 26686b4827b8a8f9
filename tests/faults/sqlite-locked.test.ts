import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { expectHonest, startRegistry } from '../support/outage.ts'

it('answers writes with 503 soon while another process has locked SQLite, and still reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-locked-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'countersign.db')
  const { mint, get, stop } = await startRegistry({ DATABASE_URL: `sqlite:${file}` })
  onTestFinished(stop)
  const link = String((await mint()).body.verification_url)
  const other = new Sqlite(file)
  onTestFinished(() => {
    other.close()
  })
  other.exec('begin exclusive')
  const writes = Array.from({ length: 60 }, (_, index) => mint(index % 2 === 0 ? {} : { response: 'Oslo' }))
  const read = await get(`/api/v1/verify/${encodeURIComponent(link)}`)
  expect(read.status).toBe(200)
  for (const reply of await Promise.all(writes)) expectHonest(reply, 5_000)
  other.exec('rollback')
  expect((await mint({ response: 'Oslo' })).status).toBe(201)
}, 60_000)
