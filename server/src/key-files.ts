import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createFileDurably, syncFolder } from './durable-file.ts'
import { ConfigError, encryptionKey } from './settings/setting.ts'

export const keyFileOf = (dataDir: string) => join(dataDir, 'key-encryption-key')

/**
 * Completes a replacement: the file has the new key once everything is encrypted with it. Returns the name of the old key, which older
 * backups need, so it is never overwritten.
 */
export const replaceKeyFile = (file: string): string => {
  // At each moment there is a key in the file: a start without one would generate another.
  const old = `${file}.${new Date().toISOString().replace(/[:.]/g, '-')}.old`
  linkSync(file, old)
  renameSync(`${file}.new`, file)
  syncFolder(dirname(file))
  return basename(old)
}

/** Names of the keys that were replaced, oldest first. */
export const listOldKeys = (file: string): string[] =>
  existsSync(dirname(file))
    ? readdirSync(dirname(file))
        .filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith('.old'))
        .sort()
    : []

/** The key to encrypt with from now on: the given one, or one in a file beside the present one. */
export const readNewKey = (presentFile: string, given: Buffer | null): Buffer => {
  if (given) return given
  const file = `${presentFile}.new`
  createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  const key = encryptionKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new ConfigError(`${file} must contain 32 bytes as base64. Delete it.`)
  return key
}

/** Without a key, the first start creates one, `doctor` continues, and most other commands fail. */
export type MissingKey = 'create' | 'reject' | 'ignore'

const readKeyFile = (file: string): Buffer => {
  chmodSync(file, 0o600)
  const key = encryptionKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new ConfigError(`${file} must contain 32 bytes as base64. It was changed; restore it from a backup.`)
  return key
}

const noKey = Buffer.alloc(32)

/** True in `doctor` before the first start. */
export const isKeyMissing = ({ encryptionKey }: { encryptionKey: Buffer }) => encryptionKey === noKey

export const readEncryptionKey = (given: Buffer | null, dataDir: string, missing: MissingKey): Buffer => {
  if (given) return given
  const file = keyFileOf(dataDir)
  if (!existsSync(file)) {
    if (missing === 'ignore') return noKey
    if (missing === 'reject') throw new ConfigError(`There is no ${file}. Set KEY_ENCRYPTION_KEY or DATA_DIR.`)
    createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  }
  return readKeyFile(file)
}

export const logKeyFileOf = (dataDir: string) => join(dataDir, 'log-key-encryption-key')

interface LogKeySources {
  given: Buffer | null
  /** The key that encrypts the keys of tokens, if it is a setting. */
  tokens: Buffer | null
  dataDir: string
}

/** Null for a command on a registry that has no log yet. */
export const readLogEncryptionKey = ({ given, tokens, dataDir }: LogKeySources, isStart: boolean): Buffer | null => {
  if (given) return given
  const file = logKeyFileOf(dataDir)
  if (!existsSync(file)) {
    if (tokens) return deriveLogKey(tokens)
    if (!isStart) return null
    createFileDurably(file, `${randomBytes(32).toString('base64')}\n`)
  }
  return readKeyFile(file)
}

/** Replicas share KEY_ENCRYPTION_KEY, but not the files in DATA_DIR. */
export const deriveLogKey = (tokens: Buffer) => Buffer.from(hkdfSync('sha256', tokens, '', 'countersign log keys', 32))
