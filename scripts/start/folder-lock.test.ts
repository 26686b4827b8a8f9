import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockFolder } from './folder-lock.ts'

it('locks a folder until it is released, and names the registry that has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = lockFolder(folder, 'http://127.0.0.1:4100')
  expect(() => lockFolder(folder, 'http://127.0.0.1:4200')).toThrow(
    `The registry at http://127.0.0.1:4100 (process ${process.pid}) already runs in the folder ${folder}. Stop it first, or choose another folder: DATA_DIR=${folder}-2 npm start`,
  )
  expect(() => lockFolder(folder, 'http://127.0.0.1:4100')).toThrow(`: PORT=4200 DATA_DIR=${folder}-2 npm start`)
  first.release()
  lockFolder(folder, 'http://127.0.0.1:4200').release()
})
