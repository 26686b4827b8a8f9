const kinds: readonly (RsaHashedImportParams | EcKeyImportParams | Algorithm)[] = [
  { name: 'Ed25519' },
  { name: 'ECDSA', namedCurve: 'P-256' },
  { name: 'ECDSA', namedCurve: 'P-384' },
  { name: 'RSA-PSS', hash: 'SHA-512' },
]

/** Reads a private key from PEM (PKCS #8). WebCrypto cannot say of which kind it is, so each kind is tried. */
export const readPair = async (pem: string): Promise<CryptoKeyPair> => {
  const { subtle } = crypto
  const [, text] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END/.exec(pem) ?? []
  if (text === undefined)
    throw new TypeError('requestSigner: the key must be PEM (PKCS #8) that begins with -----BEGIN PRIVATE KEY-----')
  const bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0))
  for (const kind of kinds) {
    const readable = await subtle.importKey('pkcs8', bytes, kind, true, ['sign']).catch(() => undefined)
    if (readable === undefined) continue
    const { kty, crv, x, y, n, e } = await subtle.exportKey('jwk', readable)
    const publicKey = await subtle.importKey('jwk', { kty, crv, x, y, n, e } as JsonWebKey, kind, true, ['verify'])
    return { publicKey, privateKey: await subtle.importKey('pkcs8', bytes, kind, false, ['sign']) }
  }
  throw new TypeError('requestSigner: the key must be Ed25519, ECDSA P-256 or P-384, or RSA')
}
