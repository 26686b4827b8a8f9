import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '@countersign/sdk/contract'
import {
  type MintSignature,
  readMintSignature,
  type SignatureFault,
  signatureBase,
  timeFault,
} from '@countersign/sdk/signer'
import { fromBase64, type ReadKey, type SignerKey, type ToVerify } from './signature-keys.ts'

/** A valid signature of a request. The caller must see to it that its nonce counts once. */
export interface RequestSignature {
  /** Fingerprint of the key that signed. */
  fingerprint: string
  nonce: string
  /** From then on it is not accepted. */
  expiresAt: number
}

interface Signed {
  /** The raw bytes of the body. */
  body: Uint8Array
  publicUrl: string
  now: number
  readKey: ReadKey
  isSigned: (toVerify: ToVerify) => Promise<boolean>
}

const headers = ['signature-input', 'signature', 'countersign-key'] as const

const refuse = ({ fault, expected }: SignatureFault, extensions: Record<string, unknown> = {}) =>
  new Refusal('signature_invalid', `${fault}. Expected: ${expected}.`, { expected, ...extensions })

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}

const refuseCount = (name: string, count: number) =>
  refuse({ fault: `The header ${name} was sent ${count} times`, expected: `${name} once` })

/** Node joins repeated headers with commas; one of two values would be the attacker's. */
const readSingle = (request: IncomingMessage, name: string): string => {
  const [value, ...more] = valuesOf(request, name)
  if (value === undefined || more.length > 0) throw refuseCount(name, value === undefined ? 0 : 1 + more.length)
  return value.trim()
}

/** RFC 9112 §3.2. Node takes the first of several, and a proxy may have taken another. */
const rejectHosts = (request: IncomingMessage) => {
  const { length } = valuesOf(request, 'host')
  if (length > 1) throw refuseCount('host', length)
}

/** A trailer arrives after the body, and proxies may drop it: ignoring one would mint a link without proof. */
const rejectTrailers = ({ trailers }: IncomingMessage) => {
  const name = headers.find((name) => trailers[name] !== undefined)
  if (name) throw refuse({ fault: `${name} was sent as a trailer`, expected: `${name} as a header` })
}

const checkKey = (key: SignerKey | undefined, keyid: string): SignerKey => {
  if (key === undefined)
    throw refuse({
      fault: 'The header countersign-key contains no usable key',
      expected: 'the DER of an Ed25519, P-256, P-384 or RSA public key (SPKI) as :base64:',
    })
  if (key.fingerprint !== keyid)
    throw refuse({ fault: 'keyid names a key other than countersign-key', expected: `keyid="${key.fingerprint}"` })
  return key
}

/** RFC 9530: one digest of the raw bytes. */
const checkDigest = (value: string, body: Uint8Array) => {
  const [, name = '', digest] = /^sha-(256|512)=:([A-Za-z0-9+/]+={0,2}):$/.exec(value) ?? []
  const bits = name === '512' ? 512 : 256
  const right = hash(`sha${bits}`, body, 'base64')
  if (digest !== right)
    throw refuse({ fault: 'The content digest is not that of the body', expected: `sha-${bits}=:${right}:` })
}

const checkSignature = async (
  { components, parameters, signature, alg }: MintSignature,
  { algorithm }: SignerKey,
  isSigned: Signed['isSigned'],
  values: Readonly<Record<MintSignature['components'][number], string>>,
) => {
  if (alg !== undefined && alg !== algorithm)
    throw refuse({ fault: 'alg is not the algorithm of the key', expected: `alg="${algorithm}"` })
  const base = signatureBase(
    components.map((name) => [`"${name}"`, values[name]]),
    parameters,
  )
  const isExact = fromBase64(signature) !== undefined
  if (!isExact || !(await isSigned({ key: values['countersign-key'], base, signature })))
    throw refuse(
      { fault: 'The signature does not match the request', expected: `a signature of signature_base by ${algorithm}` },
      { signature_base: base },
    )
}

/**
 * Reads the HTTP message signature of a mint request (RFC 9421). Undefined without its headers. A wrong one is rejected with what was
 * expected.
 */
export const readSignature = async (
  request: IncomingMessage,
  { body, publicUrl, now, readKey, isSigned }: Signed,
): Promise<RequestSignature | undefined> => {
  rejectTrailers(request)
  if (headers.every((name) => request.headers[name] === undefined)) return undefined
  rejectHosts(request)
  const read = readMintSignature(readSingle(request, 'signature-input'), readSingle(request, 'signature'))
  if ('fault' in read) throw refuse(read)
  const late = timeFault(read, now / 1_000)
  if (late) throw refuse(late, { server_time: new Date(now).toISOString() })
  const keyHeader = readSingle(request, 'countersign-key')
  const known = checkKey(readKey(keyHeader), read.keyid)
  const digest = readSingle(request, 'content-digest')
  checkDigest(digest, body)
  await checkSignature(read, known, isSigned, {
    '@method': request.method ?? '',
    '@target-uri': publicUrl + (request.url ?? ''),
    'content-digest': digest,
    'countersign-key': keyHeader,
  })
  return { fingerprint: known.fingerprint, nonce: read.nonce, expiresAt: read.expires * 1_000 }
}
