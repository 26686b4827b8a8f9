import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'

export interface Keys {
  privateKey: KeyObject
  publicKey: KeyObject
}

export type Curve = 'prime256v1' | 'secp384r1' | 'secp521r1'

export const ecKeys = (namedCurve: Curve = 'prime256v1'): Keys => generateKeyPairSync('ec', { namedCurve })

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const pemOf = (label: 'CERTIFICATE' | 'PUBLIC KEY', der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${base64(der).replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

export const later = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1_000)
