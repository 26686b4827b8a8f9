// @peculiar/x509 requires this polyfill.
import 'reflect-metadata'
import { createHash } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { initializeCTLog } from '@sigstore/mock'
import { ecKeys, type Keys, later, spkiOf } from './keys.ts'

const algorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const curveNames = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' } as const

/** WebCrypto keys, which the certificate library needs. */
const cryptoKeys = async (keys: Keys) => ({
  ...(await publicCryptoKey(keys)),
  privateKey: await crypto.subtle.importKey(
    'pkcs8',
    keys.privateKey.export({ type: 'pkcs8', format: 'der' }),
    typeOf(keys),
    true,
    ['sign'],
  ),
})
const publicCryptoKey = async (keys: Pick<Keys, 'publicKey'>) => ({
  publicKey: await crypto.subtle.importKey(
    'spki',
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    typeOf(keys),
    true,
    ['verify'],
  ),
})
const typeOf = ({ publicKey }: Pick<Keys, 'publicKey'>) =>
  publicKey.asymmetricKeyType === 'rsa'
    ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    : { name: 'ECDSA', namedCurve: curveNames[publicKey.asymmetricKeyDetails?.namedCurve as keyof typeof curveNames] }

export interface CertificateOptions {
  keys: Pick<Keys, 'publicKey'>
  /** The start of its ten minutes. */
  from: Date
  names?: JsonGeneralName[]
  issuer?: string
  repository?: string
  repositoryId?: string
  workflow?: string
  usages?: string[]
  /** Faults: without a log's proof, or with another's. */
  logged?: 'yes' | 'no' | 'elsewhere'
  /** More extensions, raw. */
  extra?: readonly Extension[]
}

/** UTF8String of up to 127 bytes, or longer in the long form. */
const derUtf8 = (text: string) => derOf(0x0c, Buffer.from(text))
const derOf = (tag: number, content: Uint8Array) =>
  Buffer.concat([
    Buffer.from(content.length < 128 ? [tag, content.length] : [tag, 0x82, content.length >> 8, content.length & 0xff]),
    content,
  ])

/** A certificate authority like Fulcio, with the certificate log that it writes to. */
export const createFulcio = async (at: Date) => {
  const keys = ecKeys()
  const own = await cryptoKeys(keys)
  const name = 'CN=private authority,O=acme.example'
  const root = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name,
    notBefore: later(at, -dayMs / 1_000),
    notAfter: later(at, (365 * dayMs) / 1_000),
    signingAlgorithm: algorithm,
    keys: own,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(own.publicKey),
    ],
  })
  const ctLog = await initializeCTLog(ecKeys(), at)
  const otherLog = await initializeCTLog(ecKeys(), at)

  const issue = async (options: CertificateOptions): Promise<Buffer> => {
    const { names = [], issuer, repository, repositoryId, workflow, from, logged = 'yes', extra = [] } = options
    const { usages = [ExtendedKeyUsage.codeSigning] } = options
    const subject = await publicCryptoKey(options.keys)
    const fields = {
      serialNumber: '0a0b0c',
      notBefore: from,
      notAfter: later(from, 600),
      issuer: name,
      publicKey: subject.publicKey,
      signingKey: own.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension(usages),
        ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names, true)] : []),
        ...textExtensions({ '8': issuer, '12': repository, '15': repositoryId, '18': workflow }),
        ...extra,
      ],
    }
    if (logged === 'no') return Buffer.from((await X509CertificateGenerator.create(fields)).rawData)
    const draft = await X509CertificateGenerator.create(fields)
    const issuerId = new Uint8Array(createHash('sha256').update(spkiOf(keys.publicKey)).digest()).buffer
    const proof = Buffer.from(await (logged === 'yes' ? ctLog : otherLog).log(draft.rawData, issuerId))
    const list = Buffer.concat([Buffer.from([proof.length >> 8, proof.length & 0xff]), proof])
    fields.extensions.push(new Extension('1.3.6.1.4.1.11129.2.4.2', false, new Uint8Array(derOf(0x04, list))))
    return Buffer.from((await X509CertificateGenerator.create(fields)).rawData)
  }

  return { certificate: Buffer.from(root.rawData), ctLogKey: Buffer.from(ctLog.publicKey), issue }
}

const textExtensions = (values: Record<string, string | undefined>) =>
  Object.entries(values).flatMap(([arc, value]) =>
    value === undefined ? [] : [new Extension(`1.3.6.1.4.1.57264.1.${arc}`, false, new Uint8Array(derUtf8(value)))],
  )

/** A subject alternative name with one address, byte by byte. */
export const rawName = (address: Uint8Array): Extension =>
  new Extension('2.5.29.17', true, new Uint8Array(derOf(0x30, derOf(0x86, address))))

export interface ChainOptions {
  leafKeys: Keys
  from: Date
  /** The validity of all certificates; `leafDays` overrides the leaf's. */
  days?: number
  leafDays?: number
  intermediates?: number
  /** Faults. */
  pathLength?: number
  intermediateIsAuthority?: boolean
  intermediateUsage?: number
  leafIsAuthority?: boolean
  selfSigned?: boolean
  /** Replaces the name of the signing authority. */
  leafIssuer?: string
  leafUsage?: number
  leafExtendedUsage?: string[]
  leafName?: string
  rootName?: string
  extraOfIntermediate?: readonly Extension[]
  extraOfLeaf?: readonly Extension[]
}

/** A root, its intermediates and a signer's certificate, as in a company's OMS by certificate. */
export const createChain = async (options: ChainOptions) => {
  const {
    leafKeys,
    from,
    days = 30,
    leafDays = days,
    intermediates = 1,
    pathLength,
    leafUsage = KeyUsageFlags.digitalSignature,
  } = options
  const {
    intermediateIsAuthority = true,
    intermediateUsage = KeyUsageFlags.keyCertSign,
    leafIsAuthority = false,
    leafExtendedUsage = [],
    extraOfIntermediate = [],
    extraOfLeaf = [],
    leafName = 'CN=Acme Models,O=acme.example',
    rootName = 'CN=Acme Root',
  } = options
  let serial = 1
  const make = async (
    subject: string,
    keys: Keys,
    issuer: { name: string; keys: Keys },
    extensions: Extension[],
    lifetime: number,
  ) => {
    const { publicKey } = await cryptoKeys(keys)
    const { privateKey } = await cryptoKeys(issuer.keys)
    serial += 1
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(2, '0'),
      subject,
      issuer: issuer.name,
      notBefore: from,
      notAfter: later(from, (lifetime * dayMs) / 1_000),
      publicKey,
      signingKey: privateKey,
      signingAlgorithm: algorithm,
      extensions,
    })
    return Buffer.from(certificate.rawData)
  }
  const rights = (isAuthority: boolean, usage: number, length?: number) => [
    new BasicConstraintsExtension(isAuthority, length, true),
    ...(usage ? [new KeyUsagesExtension(usage, true)] : []),
  ]
  const anchor = { name: rootName, keys: ecKeys() }
  const root = await make(anchor.name, anchor.keys, anchor, rights(true, KeyUsageFlags.keyCertSign, pathLength), days)
  const between: Buffer[] = []
  let issuer = anchor
  for (let depth = 0; depth < intermediates; depth++) {
    const next = { name: `CN=Acme Issuing ${depth}`, keys: ecKeys() }
    between.unshift(
      await make(
        next.name,
        next.keys,
        issuer,
        [...rights(intermediateIsAuthority, intermediateUsage), ...extraOfIntermediate],
        days,
      ),
    )
    issuer = next
  }
  const leaf = await make(
    leafName,
    leafKeys,
    options.selfSigned ? { name: leafName, keys: leafKeys } : { ...issuer, name: options.leafIssuer ?? issuer.name },
    [
      new BasicConstraintsExtension(leafIsAuthority, undefined, true),
      ...(leafUsage ? [new KeyUsagesExtension(leafUsage, true)] : []),
      ...(leafExtendedUsage.length > 0 ? [new ExtendedKeyUsageExtension(leafExtendedUsage)] : []),
      ...extraOfLeaf,
    ],
    leafDays,
  )
  return { root, chain: [leaf, ...between] }
}

export { ExtendedKeyUsage, Extension, KeyUsageFlags }
