import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { type NoteSigner, noteKey, signatureTypes } from '@countersign/sdk/log'
import type { Db } from '../db/schema.ts'
import { unseal } from '../signing/rules.ts'
import { type LogKey, listLogKeys } from './tree-store.ts'

interface Deps {
  /** Encrypts the log’s keys, apart from the signing keys of tokens. */
  encryptionKey: Buffer | null
  now: () => number
}

/** The verifier key of a stored key. Its name is the log’s origin. */
export const noteKeyOf = (origin: string, { public_x }: Pick<LogKey, 'public_x'>) =>
  noteKey(origin, signatureTypes.ed25519, Buffer.from(public_x, 'base64url'))

/** Whether a key signs at that time. A successor that is not in the log yet doesn’t. */
export const isSigning = ({ signs_from, signs_until }: LogKey, at: number): boolean =>
  signs_from !== null && signs_from <= at && (signs_until === null || signs_until > at)

/** The keys that sign checkpoints now: during a succession, the old one and the new one. */
export const createLogSigners = ({ encryptionKey, now }: Deps) => {
  const opened = new Map<string, KeyObject>()

  const signerOf = (origin: string, key: LogKey): NoteSigner => {
    if (encryptionKey === null) throw new Error('LOG_KEY_ENCRYPTION_KEY is not set')
    const known = opened.get(key.key_id)
    const privateKey =
      known ??
      createPrivateKey({ key: unseal(key.private_encrypted, encryptionKey, key.key_id), format: 'der', type: 'pkcs8' })
    opened.set(key.key_id, privateKey)
    return { key: noteKeyOf(origin, key), sign: (message) => sign(null, message, privateKey) }
  }

  return async (db: Db, origin: string): Promise<NoteSigner[]> => {
    const keys = (await listLogKeys(db)).filter((key) => isSigning(key, now()))
    if (keys.length === 0) throw new Error('The log has no key that signs')
    return keys.map((key) => signerOf(origin, key))
  }
}

export type LogSigners = ReturnType<typeof createLogSigners>
