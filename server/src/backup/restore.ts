import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '@countersign/sdk/contract'
import Sqlite from 'better-sqlite3'
import type { Database } from '../db/engine.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Tx } from '../db/schema.ts'
import { createFolderDurably, syncFile, syncFolder } from '../durable-file.ts'
import { copyToPostgres } from './copy-to-postgres.ts'

const companions = ['-wal', '-shm', '-journal']

/** Throws while another process has the database open, such as a running registry. */
export const refuseOpen = (file: string) => {
  const handle = new Sqlite(file, { timeout: 0 })
  try {
    handle.pragma('locking_mode = EXCLUSIVE')
    handle.exec('begin immediate; commit')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('SQLITE_BUSY'))
      throw new Refusal('unavailable', `${file} is in use. Stop the registry first.`, {}, { cause: error })
    // Backups exist to replace damaged databases.
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error
  } finally {
    handle.close()
  }
}

/** The trail and the states of the signing keys: every revocation changes one of them. */
const readChanges = (file: string): string => {
  const handle = new Sqlite(file, { readonly: true })
  try {
    const events = handle.prepare('select id from events order by id').pluck().all()
    const keys = handle.prepare('select kid, state from signing_keys order by kid').raw().all()
    return JSON.stringify([events, keys])
  } finally {
    handle.close()
  }
}

/** What works at a time without further proof. Some of it ends without a trace in the trail, such as a token that another displaced. */
const validAt = [
  'select id from sessions where revoked_at is null and expires_at > :at',
  'select hash from one_time_tokens where used_at is null and expires_at > :at',
  'select id from api_keys where revoked_at is null and coalesce(expires_at, :at + 1) > :at',
  'select person_id, set_at from passwords where :at > 0',
  'select issuer, subject, person_id from identities where :at > 0',
  'select id from trusted_publishers where :at > 0',
  'select id from workloads where :at > 0',
  'select spki_fingerprint from workload_keys where expires_at > :at',
  "select id from deployments where status = 'enabled' and deleted_at is null and :at > 0",
  'select model_id, deployment_id from authorizations where :at > 0',
  'select provider_id, domain, nonce from provider_domains where verified_at is not null and :at > 0',
  'select id from providers where deactivated_at is null and deleted_at is null and :at > 0',
  'select id from models where archived_at is null and deleted_at is null and :at > 0',
]

const readValid = (file: string, at: number): string[] => {
  const handle = new Sqlite(file, { readonly: true })
  try {
    return validAt.flatMap((query) =>
      handle
        .prepare(query)
        .raw()
        .all({ at })
        .map((row) => JSON.stringify([query, row])),
    )
  } finally {
    handle.close()
  }
}

/**
 * Whether the stopped database that a backup replaces shows that nothing was revoked since, as when an upgrade is rolled back: neither
 * its trail nor what is valid in it at this time.
 */
export const hasNoLaterChange = (backup: string, file: string, at: number): boolean => {
  if (!existsSync(file)) return false
  refuseOpen(file)
  try {
    const stillValid = new Set(readValid(file, at))
    return readChanges(file) === readChanges(backup) && readValid(backup, at).every((one) => stillValid.has(one))
  } catch {
    // A damaged database shows nothing.
    return false
  }
}

/** Whether the replaced database had signed no tree that the backup lacks. */
export const hasSameLog = (backup: string, file: string): boolean => {
  const sizeIn = (name: string) => {
    const handle = new Sqlite(name, { readonly: true })
    try {
      return handle.prepare('select size from log_state').pluck().get()
    } finally {
      handle.close()
    }
  }
  try {
    return sizeIn(backup) === sizeIn(file)
  } catch {
    return false
  }
}

/** The database that is replaced is renamed, not deleted. */
const setAside = (file: string, at: number) => {
  const name = `${file}.before-restore-${new Date(at).toISOString().replace(/[:.]/g, '-')}`
  for (const end of ['', ...companions]) if (existsSync(file + end)) renameSync(file + end, name + end)
  return name
}

const prepareTarget = (file: string, { replaces, at }: { replaces: boolean; at: number }): string | undefined => {
  createFolderDurably(dirname(file))
  if (!existsSync(file)) {
    const leftover = companions.find((end) => existsSync(file + end))
    // SQLite would apply it to the restored database, and corrupt it.
    if (leftover !== undefined)
      throw new Refusal(
        'already_created',
        `${file}${leftover} is a leftover of another database. Move it away: SQLite would apply it to the restored one.`,
      )
    return undefined
  }
  refuseOpen(file)
  if (!replaces)
    throw new Refusal(
      'already_created',
      `${file} already exists. With --replace, it is renamed and the backup takes its place.`,
    )
  return setAside(file, at)
}

/** In one transaction with the last write. */
export type Finish = (database: Database, tx: Tx) => Promise<void>

const removeCopy = (copy: string) => {
  for (const end of ['', ...companions]) rmSync(copy + end, { force: true })
}

/** A copy of the backup with this version's schema. */
const copyUpToDate = async (backup: string, copy: string) => {
  removeCopy(copy)
  copyFileSync(backup, copy)
  const database = await openDatabase(`sqlite:${copy}`)
  await migrate(database, Date.now)
  return database
}

/** Nothing takes the place of the database until the backup is complete and on the disk. Returns where the previous one is now. */
export const restoreToSqlite = async (
  backup: string,
  file: string,
  { replaces, at, finish }: { replaces: boolean; at: number; finish: Finish },
): Promise<string | undefined> => {
  const copy = `${file}.restoring`
  createFolderDurably(dirname(file))
  try {
    const database = await copyUpToDate(backup, copy)
    await database.transaction((tx) => finish(database, tx))
    await database.close()
    syncFile(copy)
    const previous = prepareTarget(file, { replaces, at })
    renameSync(copy, file)
    syncFolder(dirname(file))
    return previous
  } finally {
    removeCopy(copy)
  }
}

export const restoreToPostgres = async (backup: string, url: string, { finish }: { finish: Finish }) => {
  const copy = `${backup}.restoring`
  const target = await openDatabase(url)
  try {
    const database = await copyUpToDate(backup, copy)
    await database.close()
    await migrate(target, Date.now)
    await copyToPostgres(copy, target, (tx) => finish(target, tx))
  } finally {
    await target.close()
    removeCopy(copy)
  }
}
