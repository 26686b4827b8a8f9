import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { type Jwk, jwksMaxAgeSeconds, limits } from '@countersign/sdk/contract'
import { thumbprintOf } from './thumbprint.ts'

const nonceBytes = 12
const tagBytes = 16

/** A retired key is published until the last token it signed is gone from every cache. */
export const retiredKeyLifetimeMs = (limits.tokenLifetimeSeconds + jwksMaxAgeSeconds + 60) * 1_000

export const jwkOf = ({ kid, public_x }: { kid: string; public_x: string }): Jwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: public_x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
})

/** AES-256-GCM. The label, a key's ID, is authenticated with it, so that stored keys cannot be swapped. */
export const seal = (plain: Buffer, encryptionKey: Buffer, label: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

export const unseal = (sealed: string, encryptionKey: Buffer, label: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, nonceBytes)).setAAD(
    Buffer.from(label),
  )
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
}

export const opens = (sealed: string, encryptionKey: Buffer, label: string): boolean => {
  try {
    unseal(sealed, encryptionKey, label)
    return true
  } catch {
    return false
  }
}

/** Stored, encrypted like a private key, for a key in a PKCS#11 token. */
const inModule = Buffer.from('pkcs11')

export const sealModuleKey = (encryptionKey: Buffer, kid: string) => seal(inModule, encryptionKey, kid)

/** Undefined for a key in a PKCS#11 token. */
export const openPrivateKey = (encrypted: string, encryptionKey: Buffer, kid: string): KeyObject | undefined => {
  const key = unseal(encrypted, encryptionKey, kid)
  return key.equals(inModule) ? undefined : createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

export const createSigningKey = (encryptionKey: Buffer) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = thumbprintOf(x)
  return {
    kid,
    public_x: x,
    private_encrypted: seal(privateKey.export({ format: 'der', type: 'pkcs8' }), encryptionKey, kid),
  }
}
