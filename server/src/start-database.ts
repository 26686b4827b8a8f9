import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { DamageError } from './damage.ts'
import type { Database, StatementListener } from './db/engine.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { failureOf } from './db/retry.ts'
import { placeOf, waitForDatabase } from './db/wait.ts'
import { createFileDurably, createFolderDurably } from './durable-file.ts'
import { findWrongKey } from './key-fit.ts'
import { ConfigError } from './settings/setting.ts'

/** Says that the key encryption key has protected signing keys of some database. */
const markOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'key-encryption-key.used')

export const isKeyMarkedUsed = (config: Pick<Config, 'dataDir'>) => existsSync(markOf(config))

const fileOf = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined

const refuseEmpty = (config: Config) => {
  const file = fileOf(config)
  return new ConfigError(
    `${file === undefined ? 'The database in DATABASE_URL' : file} is missing or empty, but the key in ${config.dataDir} was used with a registry. Check DATA_DIR and DATABASE_URL, or restore a backup. To begin a new registry with this key, start once with --new-registry.`,
  )
}

const hasSigningKeys = async (database: Database) => {
  const rows = await database.read
    .selectFrom('signing_keys')
    .select('kid')
    .limit(1)
    .execute()
    .catch((error: unknown) => {
      // Without a schema there is no such table.
      if (failureOf(error) !== undefined) throw error
      return []
    })
  return rows.length > 0
}

const checkFile = async (file: string) => {
  const { findDamage } = await import('./db/sqlite-check.ts')
  const damage = findDamage(file)
  if (damage !== undefined)
    throw new DamageError(
      `The database ${file} is damaged: ${damage}. Restore a backup; docs/operating.md describes how.`,
    )
}

/** On PostgreSQL the folder may not be needed, and the file system may be read-only. */
const prepareFolder = (config: Config, log: Logger) => {
  try {
    createFolderDurably(config.dataDir)
  } catch (err) {
    if (fileOf(config) !== undefined) throw err
    log.warn({ err, folder: config.dataDir }, 'DATA_DIR cannot be created; emails without SMTP_URL need it')
  }
}

interface StartDeps {
  log: Logger
  now: () => number
  isNew: boolean
  onBroken: (cause: unknown) => void
  listen: StatementListener | undefined
}

/** Opens the database that a registry starts on, and brings its schema up to date. */
export const openForStart = async (
  config: Config,
  { log, now, isNew, onBroken, listen }: StartDeps,
): Promise<Database> => {
  prepareFolder(config, log)
  const isUsed = !isNew && isKeyMarkedUsed(config)
  const file = fileOf(config)
  if (file !== undefined && isUsed && !existsSync(file)) throw refuseEmpty(config)
  if (file !== undefined) await checkFile(file)
  const place = placeOf(config.databaseUrl)
  const database = await openDatabase(config.databaseUrl, listen, {
    onSilence: (isSilent) =>
      isSilent
        ? log.error({ database: place }, 'the database does not answer')
        : log.info({ database: place }, 'the database answers again'),
    onBroken,
  })
  try {
    await waitForDatabase({
      database,
      waitMs: config.databaseWaitMs,
      onWait: (reason) => log.warn({ database: place, reason }, 'waiting for the database'),
    }).catch((cause: unknown) => {
      throw new ConfigError(
        `The database ${place} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      )
    })
    if (isUsed && !(await hasSigningKeys(database))) throw refuseEmpty(config)
    const applied = await migrate(database, now, () =>
      log.info('waiting for another process that updates the database schema'),
    )
    if (applied.length > 0) log.info({ applied }, 'database schema updated')
    // After a restore no key is active, and the start would make one with the wrong key.
    const wrong = await findWrongKey(database.read, config)
    if (wrong !== undefined) throw new ConfigError(wrong)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Call it once the database has signing keys. From then on an empty database beside this key is a mistake. */
export const markKeyUsed = (config: Config, log: Logger) => {
  const mark = markOf(config)
  try {
    if (!existsSync(mark))
      createFileDurably(mark, 'The registry does not start on an empty database while this file exists.\n')
  } catch (err) {
    if (fileOf(config) !== undefined) throw err
    log.debug({ err }, 'DATA_DIR cannot be written')
  }
}
