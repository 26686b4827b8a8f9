import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type LogPolicy, parsePolicy } from '@countersign/sdk/log'
import { encryptionKey, optional, setting } from './setting.ts'

const logPolicy = (text: string): LogPolicy | undefined => {
  try {
    return parsePolicy(readFileSync(text, 'utf8'))
  } catch {
    return undefined
  }
}

/** Keys of the registry and of its log. */
export const keys = {
  KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means: 'Encrypts the signing keys at rest. Default: generated once into DATA_DIR/key-encryption-key',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  NEW_KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means: 'New key for `countersign-server keys reencrypt`. Default: generated in DATA_DIR',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  LOG_KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means:
      'Encrypts the keys of the transparency log, so that one stolen key does not open both. Default: in DATA_DIR/log-key-encryption-key, generated once; without that file, derived from KEY_ENCRYPTION_KEY if that is set',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  NEW_LOG_KEY_ENCRYPTION_KEY: setting({
    expected: '32 bytes as 64 hex characters or base64',
    means: 'New key for `countersign-server keys reencrypt --log`. Default: generated in DATA_DIR',
    default: '',
    parse: optional(encryptionKey),
    isSecret: true,
  }),
  LOG_POLICY: setting({
    expected: 'a readable policy file (c2sp.org/tlog-policy)',
    means:
      'Witnesses of the transparency log with their addresses, and which of them are a quorum. Unset: the log has no witnesses',
    default: '',
    parse: optional(logPolicy),
  }),
  PKCS11_MODULE: setting({
    expected: 'a readable file: the library of a PKCS#11 module',
    means:
      'Library of the hardware security module in which signing keys are made and used; see docs/operating.md. Unset: signing keys are in the database, encrypted',
    default: '',
    parse: optional((text) => (existsSync(text) ? resolve(text) : undefined)),
  }),
  PKCS11_TOKEN: setting({
    expected: 'up to 32 bytes',
    means: 'Label of its token',
    default: '',
    parse: optional((text) => (Buffer.byteLength(text) <= 32 ? text : undefined)),
  }),
  PKCS11_PIN: setting({
    expected: 'a PIN',
    means: 'PIN of the token’s user',
    default: '',
    parse: optional((text) => text),
    isSecret: true,
  }),
  PKCS11_KEY_LABEL: setting({
    expected: 'a label',
    means: 'Label of the keys that are made there',
    default: 'countersign',
    parse: (text) => text,
  }),
} as const
