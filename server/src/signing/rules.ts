import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { type Jwk, jwksMaxAgeSeconds, limits } from '@countersign/sdk/contract'

const nonceBytes = 12
const tagBytes = 16

/** A retired key is published until the last token it signed is gone from every cache. */
export const retiredKeyLifetimeMs = (limits.tokenLifetimeSeconds + jwksMaxAgeSeconds + 60) * 1_000

/** RFC 7638 §3 for an OKP key: members in lexicographic order. */
export const thumbprintOf = (x: string) =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')

export const jwkOf = ({ kid, public_x }: { kid: string; public_x: string }): Jwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: public_x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
})

/** AES-256-GCM; the key ID is authenticated with it, so that stored keys cannot be swapped. */
const encrypt = (der: Buffer, encryptionKey: Buffer, kid: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(kid))
  const sealed = Buffer.concat([cipher.update(der), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

export const openPrivateKey = (encrypted: string, encryptionKey: Buffer, kid: string): KeyObject => {
  const bytes = Buffer.from(encrypted, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, nonceBytes)).setAAD(
    Buffer.from(kid),
  )
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const der = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

export const createSigningKey = (encryptionKey: Buffer) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = thumbprintOf(x)
  return {
    kid,
    public_x: x,
    private_encrypted: encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), encryptionKey, kid),
  }
}
