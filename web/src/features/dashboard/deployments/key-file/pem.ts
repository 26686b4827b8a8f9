import type { Bytes } from './der.ts'

export type PemKind = 'certificate' | 'csr' | 'public key' | 'private key'

export interface PemBlock {
  kind: PemKind
  /** The encoding of a key; `whole` for anything else. */
  format: 'whole' | 'pkcs1' | 'pkcs8' | 'sec1' | 'encrypted'
  der: Bytes
  isEncrypted: boolean
}

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----((?:(?!-----)[\s\S])*)-----END \1-----/g

const labels: Record<string, Pick<PemBlock, 'kind' | 'format'>> = {
  CERTIFICATE: { kind: 'certificate', format: 'whole' },
  'X509 CERTIFICATE': { kind: 'certificate', format: 'whole' },
  'CERTIFICATE REQUEST': { kind: 'csr', format: 'whole' },
  'NEW CERTIFICATE REQUEST': { kind: 'csr', format: 'whole' },
  'PUBLIC KEY': { kind: 'public key', format: 'whole' },
  'RSA PUBLIC KEY': { kind: 'public key', format: 'pkcs1' },
  'PRIVATE KEY': { kind: 'private key', format: 'pkcs8' },
  'EC PRIVATE KEY': { kind: 'private key', format: 'sec1' },
  'RSA PRIVATE KEY': { kind: 'private key', format: 'pkcs1' },
  'ENCRYPTED PRIVATE KEY': { kind: 'private key', format: 'encrypted' },
}

/** The supported blocks of a file (RFC 7468), in order. */
export const readPem = (text: string): PemBlock[] =>
  Array.from(text.matchAll(block)).flatMap(([, label = '', body = '']) => {
    const known = labels[label]
    if (known === undefined) return []
    const isEncrypted = known.format === 'encrypted' || body.includes('ENCRYPTED')
    const der = isEncrypted ? new Uint8Array() : decode(body)
    return der === undefined ? [] : [{ ...known, der, isEncrypted }]
  })

export const isPem = (text: string) => text.includes('-----BEGIN ')

const decode = (body: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(body.replace(/\s/g, '')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
