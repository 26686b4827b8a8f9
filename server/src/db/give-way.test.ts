import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, it } from 'vitest'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-way-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('lets other requests run during thousands of queries', async () => {
  const database = openSqlite({ file: join(folder, 'way.db') })
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  for (const ask of [
    () => database.transaction(async () => {}),
    () => database.read.selectNoFrom((e) => e.val(1).as('one')).execute(),
  ]) {
    const before = turns
    // Without giving way, no turn ever comes.
    while (turns - before < 3) await ask()
  }
  isDone = true
  await database.close()
})
