import { existsSync } from 'node:fs'
import { Refusal } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createEventRecorder } from '../events/service.ts'
import { createNewId } from '../ids.ts'
import { createSigningService } from './service.ts'
import type { SigningKeyRow } from './store.ts'

const timeOf = (at: number | null) => (at === null ? '-' : new Date(at).toISOString())

const print = (rows: readonly SigningKeyRow[]) => {
  for (const { kid, state, created_at, activated_at } of rows) {
    process.stdout.write(
      `${kid}  ${state.padEnd(11)}  created ${timeOf(created_at)}  active since ${timeOf(activated_at)}\n`,
    )
  }
}

/** Works on the database itself; running registries notice at their next request. */
export const runKeysCommand = async ([action, ...rest]: readonly string[], config: Config) => {
  const file = config.databaseUrl.replace(/^sqlite:/, '')
  if (file !== config.databaseUrl && !existsSync(file)) {
    process.stderr.write(`countersign-server keys: there is no registry at ${file}. Set DATA_DIR or DATABASE_URL.\n`)
    process.exitCode = 1
    return
  }
  const database = await openDatabase(config.databaseUrl)
  try {
    await migrate(database, Date.now)
    const events = createEventRecorder({ now: Date.now, newId: createNewId(Date.now) })
    const signing = createSigningService({ database, events, encryptionKey: config.encryptionKey, now: Date.now })
    await signing.prepare()
    const [kid] = rest
    if (action === 'list') return print(await signing.list())
    if (action === 'rotate') return print(await signing.rotate({ force: rest.includes('--force') }))
    if (action === 'confirm' && kid) return print(await signing.confirm(kid))
    if (action === 'compromise' && kid) return print(await signing.compromise(kid))
    process.stderr.write('countersign-server keys: expected list, rotate [--force], compromise KID or confirm KID.\n')
    process.exitCode = 2
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`countersign-server keys: ${error.message}\n`)
    process.exitCode = 1
  } finally {
    await database.close()
  }
}
