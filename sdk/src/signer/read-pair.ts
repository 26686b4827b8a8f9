import { hex } from './bytes.ts'

/** By the object identifier of the key (RFC 5208, 8410, 5480, 3279), in DER. */
const kinds: readonly (readonly [oid: string, kind: RsaHashedImportParams | EcKeyImportParams | Algorithm])[] = [
  ['06032b6570', { name: 'Ed25519' }],
  ['06082a8648ce3d030107', { name: 'ECDSA', namedCurve: 'P-256' }],
  ['06052b81040022', { name: 'ECDSA', namedCurve: 'P-384' }],
  ['06092a864886f70d010101', { name: 'RSA-PSS', hash: 'SHA-512' }],
]

/** With a cause, whose message the client repeats. */
export const badKey = (what: string): TypeError => {
  const message = `"key" must be ${what}`
  return new TypeError(`requestSigner: ${message}`, { cause: new TypeError(message) })
}

interface PrivateKeyBytes {
  bytes: Uint8Array<ArrayBuffer>
  kind: (typeof kinds)[number][1]
}

/** Reads PEM (PKCS #8). The kind comes from the bytes: `workerd` imports a P-256 key as Ed25519 without an error. */
export const readPem = (pem: string): PrivateKeyBytes => {
  const [, text] = /-----BEGIN PRIVATE KEY-----([A-Za-z\d\s+/=]+)-----END/.exec(pem) ?? []
  if (text === undefined) throw badKey('PEM (PKCS #8) that begins with -----BEGIN PRIVATE KEY-----')
  const bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0))
  const head = hex(bytes.slice(0, 40).buffer)
  const kind = kinds.find(([oid]) => head.includes(oid))?.[1]
  if (kind === undefined) throw badKey('Ed25519, ECDSA P-256 or P-384, or RSA')
  return { bytes, kind }
}

/** Imports a private key, and derives its public key. */
export const importPair = async ({ bytes, kind }: PrivateKeyBytes): Promise<CryptoKeyPair> => {
  const { subtle } = crypto
  const readable = await subtle.importKey('pkcs8', bytes, kind, true, ['sign'])
  const { kty, crv, x, y, n, e } = await subtle.exportKey('jwk', readable)
  const publicKey = await subtle.importKey('jwk', { kty, crv, x, y, n, e } as JsonWebKey, kind, true, ['verify'])
  return { publicKey, privateKey: await subtle.importKey('pkcs8', bytes, kind, false, ['sign']) }
}
