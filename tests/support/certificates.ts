// @peculiar/x509 requires this polyfill.
import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 86_400_000

/** A certificate and its private key, both PEM. */
export interface Credential {
  cert: string
  key: string
}

/** A private certificate authority, for servers that only its clients trust. */
export const createAuthority = async (name = 'Countersign development CA') => {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(3_650),
    serialNumber: serialNumber(),
    name: [{ CN: [name] }],
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })

  const issue = async (
    commonName: string,
    extensions: Extension[],
    subjectKeys: CryptoKeyPair,
  ): Promise<Credential> => {
    const issued = await X509CertificateGenerator.create({
      ...validity(397),
      serialNumber: serialNumber(),
      subject: [{ CN: [commonName] }],
      issuer: certificate.subjectName,
      publicKey: subjectKeys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions,
    })
    return credential(issued, subjectKeys)
  }

  return {
    /** The authority's certificate as PEM, for clients to trust. */
    cert: certificate.toString('pem'),
    /** A server certificate for these names and addresses. */
    issueServer: async (names: readonly string[] = ['127.0.0.1', 'localhost']) =>
      issue(
        names[0] ?? 'localhost',
        [new SubjectAlternativeNameExtension(names.map(generalName)), usage('serverAuth')],
        await generateKeys(),
      ),
    /** A client certificate. Pass the keys of another to renew it: the same key, a new certificate. */
    issueClient: async (name: string, subjectKeys?: CryptoKeyPair) =>
      issue(name, [usage('clientAuth')], subjectKeys ?? (await generateKeys())),
  }
}

interface Peculiarities {
  /** It expired yesterday. */
  isExpired?: boolean
  /** URIs in its subject alternative name (X509-SVID §2 requires exactly one). */
  spiffeId?: string | readonly string[]
}

/** A self-signed client certificate, as most deployments have. */
export const createSelfSigned = async (
  name: string,
  keys?: CryptoKeyPair,
  { isExpired, spiffeId }: Peculiarities = {},
): Promise<Credential> => {
  const subjectKeys = keys ?? (await generateKeys())
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...(isExpired ? expiredValidity() : validity(397)),
    serialNumber: serialNumber(),
    name: [{ CN: [name] }],
    signingAlgorithm: algorithm,
    keys: subjectKeys,
    extensions: [
      usage('clientAuth'),
      ...(spiffeId === undefined
        ? []
        : [new SubjectAlternativeNameExtension([spiffeId].flat().map((value) => ({ type: 'url' as const, value })))]),
    ],
  })
  return credential(certificate, subjectKeys)
}

/** An EC P-256 key pair. */
export const generateKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

const credential = async (certificate: X509Certificate, keys: CryptoKeyPair): Promise<Credential> => ({
  cert: certificate.toString('pem'),
  key: PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
})

// Starts a day early, for clocks that are a little behind.
const validity = (days: number) => ({
  notBefore: new Date(Date.now() - dayMs),
  notAfter: new Date(Date.now() + days * dayMs),
})

const expiredValidity = () => ({ notBefore: new Date(Date.now() - 30 * dayMs), notAfter: new Date(Date.now() - dayMs) })

/** RFC 5280 §4.1.2.2: positive, at most 20 bytes. */
const serialNumber = () => `4${randomBytes(15).toString('hex').slice(1)}`

const usage = (purpose: 'serverAuth' | 'clientAuth') => new ExtendedKeyUsageExtension([ExtendedKeyUsage[purpose]])

const generalName = (name: string) => ({ type: isIP(name) ? ('ip' as const) : ('dns' as const), value: name })
