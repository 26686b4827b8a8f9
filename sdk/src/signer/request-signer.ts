import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { must } from '../verify/refuse-unknown.ts'
import { base64, hex, sha256 } from './bytes.ts'
import {
  maxSignatureSeconds,
  mintComponents,
  type SignatureAlgorithm,
  signatureBase,
  writeParameters,
} from './message.ts'
import { badKey, importPair, readPem } from './read-pair.ts'

/** A key that never leaves its keeper, such as a cloud’s key management service. */
export interface RemoteKey {
  /** DER of the SubjectPublicKeyInfo. */
  publicKey: Uint8Array<ArrayBuffer>
  /** The algorithm with which it signs. */
  algorithm: SignatureAlgorithm
  /** Signs these bytes; hashes them as the algorithm says. An ECDSA signature is r and s, 64 or 96 bytes, not DER. */
  sign: (data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array
}

/** Options of `requestSigner`. */
export interface RequestSignerOptions {
  /** A private key as PEM (PKCS #8), a pair of WebCrypto keys whose private key may be non-extractable, or a key held elsewhere. */
  key: string | CryptoKeyPair | RemoteKey
  /** The registry’s public address, if the client uses another one. */
  registry?: string | undefined
  /** Sends the signed requests; the global `fetch` by default. */
  fetch?: ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined
}

const optionForms: OptionForms<RequestSignerOptions> = {
  key: 'a private key, as PEM (PKCS #8)',
  registry: true,
  fetch: true,
  now: true,
}

const path = '/api/v1/create-verification'
const utf8 = new TextEncoder()

/** The parameters with which WebCrypto signs, by the key’s algorithm. */
const methodOf = ({ algorithm }: CryptoKey): [SignatureAlgorithm, AlgorithmIdentifier | RsaPssParams | EcdsaParams] => {
  const { name, namedCurve, hash } = algorithm as { name: string; namedCurve?: string; hash?: { name: string } }
  if (name === 'Ed25519') return ['ed25519', name]
  if (namedCurve === 'P-256') return ['ecdsa-p256-sha256', { name, hash: 'SHA-256' }]
  if (namedCurve === 'P-384') return ['ecdsa-p384-sha384', { name, hash: 'SHA-384' }]
  if (name === 'RSA-PSS' && hash?.name === 'SHA-512') return ['rsa-pss-sha512', { name, saltLength: 64 }]
  throw badKey('Ed25519, ECDSA P-256 or P-384, or RSA-PSS with SHA-512')
}

const remoteOf = async (key: ReturnType<typeof readPem> | CryptoKeyPair | RemoteKey): Promise<RemoteKey> => {
  if ('sign' in key) return key
  const { publicKey, privateKey } = 'bytes' in key ? await importPair(key) : key
  const [algorithm, method] = methodOf(privateKey)
  return {
    publicKey: new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)),
    algorithm,
    sign: async (data) => new Uint8Array(await crypto.subtle.sign(method, privateKey, data)),
  }
}

/**
 * A `fetch` that signs mint requests with the deployment’s key (RFC 9421), so that a server without client certificates proves
 * itself. Give it to the client: `createClient({ apiKey, fetch: requestSigner({ key }) })`. Other requests are sent unchanged.
 *
 * @returns The `fetch` for `createClient`.
 * @throws `TypeError` for an unknown option, without `key`, and for text that is not a private key as PEM (PKCS #8). The first
 * request throws it for another key that cannot sign.
 * @example
 * ```ts
 * const fetch = requestSigner({ key: pem })
 * const client = createClient({ baseURL: 'https://registry.example', apiKey: 'csk_…', fetch })
 * ```
 */
export const requestSigner = (options: RequestSignerOptions): NonNullable<RequestSignerOptions['fetch']> => {
  checkOptions('requestSigner', options, optionForms)
  const { key, registry, fetch = (input, init) => globalThis.fetch(input, init), now = Date.now } = options
  const given = typeof key === 'string' ? readPem(key) : key
  if (typeof given !== 'object') throw badKey('PEM (PKCS #8), a CryptoKeyPair or a remote key')
  must(registry === undefined || URL.canParse(registry), 'requestSigner', 'registry', 'the registry’s address')
  let prepared: Promise<RemoteKey & { keyid: string }> | undefined
  const prepare = async () => {
    const remote = await remoteOf(given)
    return { ...remote, keyid: hex(await sha256(remote.publicKey)) }
  }
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    if (method !== 'POST' || !url.pathname.endsWith(path)) return fetch(input, init)
    prepared ??= prepare()
    const { algorithm, publicKey, keyid, sign } = await prepared
    const request = new Request(input, init)
    const body = new Uint8Array(await request.arrayBuffer())
    const created = Math.floor(now() / 1_000)
    const values = {
      '@method': method,
      '@target-uri': registry === undefined ? url.href : new URL(path, registry).href,
      'content-digest': `sha-256=:${base64(await sha256(body))}:`,
      'countersign-key': `:${base64(publicKey)}:`,
    }
    const parameters = writeParameters({
      created,
      expires: created + maxSignatureSeconds,
      // Neighbours in time are neighbours in the registry's index.
      nonce: created.toString(16) + hex(crypto.getRandomValues(new Uint8Array(12)).buffer),
      keyid,
      alg: algorithm,
    })
    const base = signatureBase(
      mintComponents.map((name) => [`"${name}"`, values[name]]),
      parameters,
    )
    const { headers } = request
    headers.set('Content-Digest', values['content-digest'])
    headers.set('Countersign-Key', values['countersign-key'])
    headers.set('Signature-Input', `mint=${parameters}`)
    headers.set('Signature', `mint=:${base64(await sign(utf8.encode(base)))}:`)
    return fetch(url.href, { ...init, method, headers, body, signal: request.signal })
  }
}
