import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { logKeyFileOf } from '../key-files.ts'
import { findWrongKey, findWrongLogKey } from '../key-fit.ts'
import { openOperator } from '../operator/command.ts'
import { setHalted } from '../transparency/tree-store.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { checkBackup, createBackup } from './create.ts'
import { manifestFileOf, readManifest } from './manifest.ts'
import { hasNoLaterChange, hasSameLog, refuseOpen, restoreToPostgres, restoreToSqlite } from './restore.ts'
import { suspendEverything } from './suspend.ts'
import type { Tallies } from './tables.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const sqliteFileOf = (url: string) => (url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : undefined)

const countOf = (tables: Tallies) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

const backUp = async (config: Config, file: string) => {
  const source = sqliteFileOf(config.databaseUrl)
  if (source !== undefined && !existsSync(source))
    throw new Refusal('not_found', `There is no registry at ${source}. Set DATA_DIR or DATABASE_URL.`)
  const { tables, file: written } = await createBackup(config.databaseUrl, resolve(file))
  print(`Backed up ${countOf(tables)} rows to ${file} (${written.bytes} bytes, verified).`)
  print(`Its manifest is ${manifestFileOf(file)}. Store the key encryption key somewhere else.`)
}

const restore = async (config: Config, file: string, { replaces }: { replaces: boolean }) => {
  const backup = resolve(file)
  const manifest = readManifest(backup)
  await checkBackup(backup, manifest)
  const at = Date.now()
  const signInUrl = `${config.publicUrl ?? `http://${config.host}:${config.port}`}/login`
  let suspended = 0
  const finish: Parameters<typeof restoreToSqlite>[2]['finish'] = async (database, tx) => {
    const wrong = (await findWrongKey(tx, config)) ?? (await findWrongLogKey(tx, config, at))
    if (wrong !== undefined) throw new Refusal('bad_request', `Nothing was restored. ${wrong}`)
    // The log may have signed a larger tree since. A different tree of the same size would be a fork.
    if (!isSameTree) await setHalted(tx, 'restored')
    if (isUnchanged) return
    const operator = await openOperator(config, database)
    suspended = await suspendEverything(operator, tx, signInUrl)
  }
  const target = sqliteFileOf(config.databaseUrl)
  const isUnchanged = target !== undefined && replaces && hasNoLaterChange(backup, target, at)
  const isSameTree = isUnchanged && target !== undefined && hasSameLog(backup, target)
  if (target === undefined) await restoreToPostgres(backup, config.databaseUrl, { finish })
  else {
    const previous = await restoreToSqlite(backup, target, { replaces, at, finish })
    if (previous !== undefined) print(`The previous database is now ${previous}.`)
  }
  if (config.logEncryptionKey === null)
    print(`${logKeyFileOf(config.dataDir)} is missing. Put it back before the start, which makes another one.`)
  print(`Restored ${countOf(manifest.tables)} rows as of ${manifest.created_at}.`)
  if (isUnchanged) {
    print('The replaced database has no later change, so nothing is suspended.')
    return
  }
  print(`${suspended} providers and all signing keys are suspended until they are confirmed.`)
  print('Owners with a verified address will be emailed. Repeat what you did yourself since the backup:')
  print('`countersign-server keys compromise`, `domains end`, `reports`.')
}

/** Not on the command line, where every user of the machine sees a password (`ps`). */
const readUrl = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Refusal('not_found', `--to-file must name a readable file: ${(error as Error).message}`)
  }
}

const move = async (config: Config, url: string) => {
  const source = sqliteFileOf(config.databaseUrl)
  if (source === undefined) throw new Refusal('bad_request', 'The registry is already on PostgreSQL.')
  if (!existsSync(source)) throw new Refusal('not_found', `There is no registry at ${source}.`)
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Refusal('bad_request', 'The new database must be postgres://…')
  refuseOpen(source)
  const own = await openDatabase(config.databaseUrl)
  await migrate(own, Date.now).finally(() => own.close())
  const target = await openDatabase(url)
  try {
    await migrate(target, Date.now)
    const tables = await copyToPostgres(source, target)
    const operator = await openOperator(config, target)
    await operator.repairSearch()
    print(`Copied ${countOf(tables)} rows of ${Object.keys(tables).length} tables; counts and digests are equal.`)
    const keys = `DATA_DIR with its keys${config.givenEncryptionKey === null ? '' : ' and KEY_ENCRYPTION_KEY'}`
    print(`Now set DATABASE_URL to the new database, keep ${keys}, and start the registry.`)
  } finally {
    await target.close()
  }
}

const usage = `Usage: countersign-server backup FILE
       countersign-server restore FILE [--replace]
       countersign-server migrate --to-file FILE
       countersign-server migrate --to postgres://…
`

/** `backup`, `restore` and `migrate`. */
export const runBackupCommand = async (args: readonly string[], config: Config): Promise<void> => {
  const [command, first, second, ...rest] = args
  try {
    if (command === 'backup' && first !== undefined && second === undefined) return await backUp(config, first)
    if (
      command === 'restore' &&
      first !== undefined &&
      (second === undefined || second === '--replace') &&
      rest.length === 0
    )
      return await restore(config, first, { replaces: second === '--replace' })
    if (command === 'migrate' && first === '--to' && second !== undefined && rest.length === 0)
      return await move(config, second)
    if (command === 'migrate' && first === '--to-file' && second !== undefined && rest.length === 0)
      return await move(config, readUrl(second))
    process.stderr.write(usage)
    process.exitCode = 2
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`countersign-server ${command}: ${error.message}\n`)
    process.exitCode = 1
  }
}
