import { createHash, X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Binding, Refusal, SpiffeId, SpkiFingerprint } from '@countersign/sdk/contract'
import type { Config } from '../config.ts'
import { type RequestSignature, readSignature } from './signature.ts'
import type { SignatureCheck } from './signature-check.ts'
import type { ReadKey } from './signature-keys.ts'

/** The deployment at the other end of a request, if it identified itself. */
export interface Peer {
  binding: Binding
  fingerprint: string
  /** From the URI name of the certificate, if it has one. */
  spiffeId: string | null
  isExpired: boolean
  /** Its signature of the request; must count once. */
  signature?: RequestSignature | undefined
}

export type IsProxy = (address: string | undefined) => boolean

/** Whether a connection comes from one of these addresses. */
export const proxiesAt = (subnets: Config['trustedProxies'] | Config['clientCertProxies']): IsProxy => {
  const trusted = new BlockList()
  for (const { address, prefix, family } of subnets) trusted.addSubnet(address, prefix, family)
  const known = new Map<string, boolean>()
  return (address) => {
    if (address === undefined) return false
    const found = known.get(address)
    if (found !== undefined) return found
    if (known.size >= 10_000) known.clear()
    const isTrusted = trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    known.set(address, isTrusted)
    return isTrusted
  }
}

/** The address of the client: behind proxies, the last one that none of them has. */
export const clientOf = ({ headers, socket }: IncomingMessage, isProxy: IsProxy): string => {
  const named = String(headers['x-forwarded-for'] ?? '').split(',')
  const chain = [...named, socket.remoteAddress ?? '']
    .map((address) => address.trim())
    .filter((address) => address !== '')
  return chain.findLast((address) => !isProxy(address)) ?? chain[0] ?? ''
}

const certificateHeaders = [
  'client-cert',
  'x-client-cert-fingerprint',
  'x-client-cert-subject',
  'x-client-cert-issuer',
] as const

/** Node joins repeated headers with commas; one of two values would be the attacker's. */
const readSingle = (request: IncomingMessage, name: (typeof certificateHeaders)[number]): string | undefined => {
  if (request.headers[name] === undefined) return undefined
  const { rawHeaders } = request
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  if (values.length > 1) throw new Refusal('bad_request', `The header ${name} must be sent once.`)
  return values[0]?.trim() || undefined
}

/** X509-SVID §2: exactly one URI name, which is the SPIFFE ID. */
const spiffeIdOf = ({ subjectAltName = '' }: X509Certificate): string | null => {
  const names = [...subjectAltName.matchAll(/(?:^|, )URI:([^,]+)/g)].map(([, name = '']) => name)
  const id = SpiffeId.safeParse(names[0])
  return names.length === 1 && id.success ? id.data : null
}

const peerOfCertificate = (certificate: X509Certificate, binding: Binding, now: number): Peer => ({
  binding,
  fingerprint: createHash('sha256')
    .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex'),
  spiffeId: spiffeIdOf(certificate),
  isExpired: certificate.validToDate.getTime() < now,
})

/** RFC 9440 §2.2: the certificate's DER as a structured field byte sequence. */
const peerOfHeader = (value: string, now: number): Peer => {
  const [, base64] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(value) ?? []
  try {
    // Check more than the encoding: a key of an unknown kind or curve throws when it is read.
    if (base64) return peerOfCertificate(new X509Certificate(Buffer.from(base64, 'base64')), 'proxy', now)
  } catch {
    // Answered below, together with invalid base64.
  }
  throw new Refusal('bad_request', 'The header client-cert does not contain a certificate as RFC 9440 encodes it.')
}

const fingerprintOfHeader = (value: string): string => {
  const parsed = SpkiFingerprint.safeParse(value)
  if (!parsed.success)
    throw new Refusal('bad_request', `The header x-client-cert-fingerprint: ${parsed.error.issues[0]?.message}.`)
  return parsed.data
}

export interface PeerDeps {
  isCertificateProxy: IsProxy
  /** Reads the key of a signature. */
  readKey: ReadKey
  signatures: Pick<SignatureCheck, 'isSigned'>
  publicUrl: string
  now: () => number
}

/**
 * Which deployment sends the request, and how we know. A TLS handshake outranks a signature, which outranks a proxy that reports client
 * certificates, which outranks a mere header. A proxy that is only trusted to count visitors proves nothing: it may pass on what a client
 * wrote. Any weaker proof sent with it must be valid and name the same key.
 */
export const readPeer = async (
  request: IncomingMessage,
  body: Uint8Array,
  { isCertificateProxy, readKey, signatures, publicUrl, now }: PeerDeps,
): Promise<Peer | undefined> => {
  const signature = await readSignature(request, {
    body,
    publicUrl,
    now: now(),
    readKey,
    isSigned: signatures.isSigned,
  })
  // Read all of them: each must be sent once, whichever is used.
  const hasHeader = certificateHeaders.filter((name) => readSingle(request, name) !== undefined).length > 0
  const socket = request.socket as Partial<TLSSocket>
  // A resumed session has the certificate of an earlier connection, whose key this one did not prove.
  const certificate = socket.encrypted && !socket.isSessionReused?.() ? socket.getPeerX509Certificate?.() : undefined
  if (!hasHeader && !certificate && !signature) return undefined

  const claimed = readSingle(request, 'x-client-cert-fingerprint')
  const named = claimed === undefined ? undefined : fingerprintOfHeader(claimed)
  const agree = (peer: Peer): Peer => {
    if (named !== undefined && named !== peer.fingerprint)
      throw new Refusal('bad_request', 'The header x-client-cert-fingerprint names another key.')
    if (signature !== undefined && signature.fingerprint !== peer.fingerprint)
      throw new Refusal('bad_request', 'The request is signed with a different key than the certificate’s.')
    return { ...peer, signature }
  }
  if (certificate) return agree(peerOfCertificate(certificate, 'mtls', now()))
  const isTrusted = isCertificateProxy(request.socket.remoteAddress)
  const forwarded = readSingle(request, 'client-cert')
  if (isTrusted && forwarded !== undefined) {
    const peer = agree(peerOfHeader(forwarded, now()))
    return signature ? { ...peer, binding: 'signed' } : peer
  }
  if (signature)
    return agree({ binding: 'signed', fingerprint: signature.fingerprint, spiffeId: null, isExpired: false })
  if (named === undefined) return undefined
  return { binding: isTrusted ? 'proxy' : 'self-asserted', fingerprint: named, spiffeId: null, isExpired: false }
}
