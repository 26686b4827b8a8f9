import { existsSync } from 'node:fs'
import { Refusal } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import type { Database } from '../db/engine.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createEventRecorder } from '../events/service.ts'
import { createNewId } from '../ids.ts'
import { deriveLogKey, keyFileOf, logKeyFileOf, readNewKey, replaceKeyFile } from '../key-files.ts'
import { findWrongKey } from '../key-fit.ts'
import { listLogKeys, replaceLogKey } from '../transparency/tree-store.ts'
import { createKeyModule, ModuleError } from './pkcs11/process.ts'
import { openPrivateKey, opens, seal, unseal } from './rules.ts'
import { createSigningService, type SigningService } from './service.ts'
import { listSigningKeys, type SigningKeyRow } from './store.ts'

const timeOf = (at: number | null) => (at === null ? '-' : new Date(at).toISOString())

const print = (rows: readonly SigningKeyRow[], { encryptionKey }: Config) => {
  for (const { kid, state, created_at, activated_at, private_encrypted } of rows) {
    const isInModule = openPrivateKey(private_encrypted, encryptionKey, kid) === undefined
    const place = isInModule ? `  PKCS#11 ID ${Buffer.from(kid, 'base64url').toString('hex')}` : ''
    process.stdout.write(
      `${kid}  ${state.padEnd(11)}  created ${timeOf(created_at)}  active since ${timeOf(activated_at)}${place}\n`,
    )
  }
}

const refuseWrongKey = async (database: Database, config: Config) => {
  const wrong = await findWrongKey(database.read, config)
  if (wrong !== undefined) throw new Refusal('bad_request', wrong)
}

/** After an interrupted call, everything may already be encrypted with the key in the new file. */
const reencrypt = async (config: Config, signing: SigningService, database: Database) => {
  if ((config.givenEncryptionKey === null) !== (config.newEncryptionKey === null))
    throw new Refusal('bad_request', 'Set KEY_ENCRYPTION_KEY and NEW_KEY_ENCRYPTION_KEY together, or neither.')
  const file = keyFileOf(config.dataDir)
  const newKey = readNewKey(file, config.newEncryptionKey)
  const keys = await listSigningKeys(database.read)
  const isDone = keys.length > 0 && keys.every(({ kid, private_encrypted }) => opens(private_encrypted, newKey, kid))
  if (!isDone) {
    await refuseWrongKey(database, config)
    await signing.prepare()
    await signing.reencrypt(newKey)
  }
  if (config.isLogKeyDerived) await reencryptLogKeys(database, deriveLogKey(config.encryptionKey), deriveLogKey(newKey))
  else process.stdout.write('The keys of the log are encrypted with another key. `keys reencrypt --log` replaces it.\n')
  if (config.newEncryptionKey !== null) {
    process.stdout.write('Done. Set KEY_ENCRYPTION_KEY to the new key before you start the registry.\n')
    return
  }
  const old = replaceKeyFile(file)
  process.stdout.write(
    `Done. DATA_DIR/key-encryption-key has the new key. Keep the old one, ${old}, for older backups.\n`,
  )
}

/** After an interrupted call, everything may already be encrypted with the new key. */
const reencryptLog = async (config: Config, database: Database) => {
  const { logEncryptionKey, newLogEncryptionKey, isLogKeyDerived, dataDir } = config
  const isSetting = config.givenLogEncryptionKey !== null || isLogKeyDerived
  if (isSetting !== (newLogEncryptionKey !== null))
    throw new Refusal(
      'bad_request',
      isSetting
        ? 'Set NEW_LOG_KEY_ENCRYPTION_KEY.'
        : 'Set LOG_KEY_ENCRYPTION_KEY and NEW_LOG_KEY_ENCRYPTION_KEY together, or neither.',
    )
  if (logEncryptionKey === null) throw new Refusal('not_found', 'This registry has no log yet. Start it once.')
  const file = logKeyFileOf(dataDir)
  const newKey = readNewKey(file, newLogEncryptionKey)
  for (const { key_id, private_encrypted } of await listLogKeys(database.read))
    if (![logEncryptionKey, newKey].some((key) => opens(private_encrypted, key, key_id)))
      throw new Refusal('bad_request', 'LOG_KEY_ENCRYPTION_KEY does not open the keys of the log in this database.')
  await reencryptLogKeys(database, logEncryptionKey, newKey)
  if (newLogEncryptionKey !== null) {
    process.stdout.write('Done. Set LOG_KEY_ENCRYPTION_KEY to the new key before you start the registry.\n')
    return
  }
  const old = replaceKeyFile(file)
  process.stdout.write(
    `Done. DATA_DIR/log-key-encryption-key has the new key. Keep the old one, ${old}, for older backups.\n`,
  )
}

/** Idempotent. */
const reencryptLogKeys = (database: Database, from: Buffer, to: Buffer) =>
  database.transaction(async (tx) => {
    for (const { key_id, private_encrypted } of await listLogKeys(tx))
      if (!opens(private_encrypted, to, key_id))
        await replaceLogKey(tx, key_id, seal(unseal(private_encrypted, from, key_id), to, key_id))
  })

/** Works on the database itself; running registries notice at their next request. */
export const runKeysCommand = async ([action, ...rest]: readonly string[], config: Config) => {
  const file = config.databaseUrl.replace(/^sqlite:/, '')
  if (file !== config.databaseUrl && !existsSync(file)) {
    process.stderr.write(`countersign-server keys: there is no registry at ${file}. Set DATA_DIR or DATABASE_URL.\n`)
    process.exitCode = 1
    return
  }
  const database = await openDatabase(config.databaseUrl)
  const keyModule = config.keyModule ? createKeyModule(config.keyModule) : undefined
  try {
    await migrate(database, Date.now)
    const events = createEventRecorder({ now: Date.now, newId: createNewId(Date.now) })
    const signing = createSigningService({
      database,
      events,
      encryptionKey: config.encryptionKey,
      keyModule,
      now: Date.now,
    })
    if (action === 'reencrypt' && rest.includes('--log')) return await reencryptLog(config, database)
    if (action === 'reencrypt') return await reencrypt(config, signing, database)
    await refuseWrongKey(database, config)
    await signing.prepare()
    const [kid] = rest
    if (action === 'list') return print(await signing.list(), config)
    if (action === 'rotate') return print(await signing.rotate({ force: rest.includes('--force') }), config)
    if (action === 'confirm' && kid) return print(await signing.confirm(kid), config)
    if (action === 'compromise' && kid) return print(await signing.compromise(kid), config)
    process.stderr.write(
      'countersign-server keys: expected list, rotate [--force], compromise KID, confirm KID or reencrypt [--log].\n',
    )
    process.exitCode = 2
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ModuleError)) throw error
    process.stderr.write(`countersign-server keys: ${error.message}\n`)
    process.exitCode = 1
  } finally {
    keyModule?.close()
    await database.close()
  }
}
