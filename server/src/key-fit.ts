import type { Config } from './config.ts'
import type { Db } from './db/schema.ts'
import { keyFileOf, listOldKeys, logKeyFileOf } from './key-files.ts'
import { opens } from './signing/rules.ts'
import { listSigningKeys } from './signing/store.ts'
import { isSigning } from './transparency/log-signers.ts'
import { listLogKeys } from './transparency/tree-store.ts'

type KeyConfig = Pick<Config, 'dataDir' | 'encryptionKey' | 'givenEncryptionKey'>
type LogKeyConfig = Pick<Config, 'dataDir' | 'logEncryptionKey' | 'givenLogEncryptionKey' | 'isLogKeyDerived'>

const oldOnes = (file: string): string => {
  const names = listOldKeys(file)
  return names.length === 0 ? '' : ` Replaced keys are in ${names.join(', ')} beside it.`
}

/** What was tried, if the key encryption key does not open the signing keys of a database; undefined if it opens all. */
export const findWrongKey = async (db: Db, config: KeyConfig): Promise<string | undefined> => {
  const keys = await listSigningKeys(db)
  if (keys.every(({ kid, private_encrypted }) => opens(private_encrypted, config.encryptionKey, kid))) return undefined
  const file = keyFileOf(config.dataDir)
  const tried = config.givenEncryptionKey === null ? file : 'KEY_ENCRYPTION_KEY'
  return `${tried} does not open the signing keys in this database. Use the key that they were encrypted with.${oldOnes(file)}`
}

/** The same for the key that encrypts the log's keys. A missing one is not wrong: the log may need a new origin. */
export const findWrongLogKey = async (db: Db, config: LogKeyConfig, at: number): Promise<string | undefined> => {
  const { logEncryptionKey } = config
  if (logEncryptionKey === null) return undefined
  const keys = (await listLogKeys(db)).filter((key) => isSigning(key, at))
  if (keys.every(({ key_id, private_encrypted }) => opens(private_encrypted, logEncryptionKey, key_id)))
    return undefined
  const file = logKeyFileOf(config.dataDir)
  const tried = triedLogKey(config, file)
  return `${tried} does not open the keys of the log in this database. Use the key that they were encrypted with.${oldOnes(file)}`
}

const triedLogKey = ({ givenLogEncryptionKey, isLogKeyDerived }: LogKeyConfig, file: string): string => {
  if (givenLogEncryptionKey !== null) return 'LOG_KEY_ENCRYPTION_KEY'
  return isLogKeyDerived ? `The key derived from KEY_ENCRYPTION_KEY, without ${file},` : file
}
