import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { spkiFingerprint } from '@countersign/sdk/node'
import { describe, expect, it, vi } from 'vitest'
import { createAuthority, createSelfSigned } from '../../../../../../tests/support/certificates.ts'
import { readKeyFile } from './key-file.ts'

const bytesOf = (file: string | Uint8Array) => Uint8Array.from(Buffer.from(file))
const read = (file: string | Uint8Array) => readKeyFile(bytesOf(file))

const found = async (file: string | Uint8Array) => {
  const reading = await read(file)
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.found
}

const pairs = {
  'EC P-256': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'EC P-384': generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'RSA 2048': generateKeyPairSync('rsa', { modulusLength: 2048 }),
  Ed25519: generateKeyPairSync('ed25519'),
}

const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64')

const vectors: { good: { name: string; pem: string; hex: string; key_type: string; source: string }[] } = JSON.parse(
  readFileSync(new URL('../../../../../../tests/vectors/fingerprints.json', import.meta.url), 'utf8'),
)

describe('the key in a file', () => {
  it.each(vectors.good.filter(({ source, key_type }) => source !== 'private key' || key_type in pairs))(
    'has the fingerprint that OpenSSL computes: $name',
    async ({ pem, hex, key_type, source }) => {
      expect(await found(pem)).toMatchObject({ fingerprint: hex, keyType: key_type, kind: source })
    },
  )

  it.each(Object.entries(pairs))(
    'has the fingerprint that the command line computes: %s, in every format',
    async (keyType, { publicKey, privateKey }) => {
      const wanted = { fingerprint: spkiFingerprint(publicKey.export({ type: 'spki', format: 'pem' })).hex, keyType }
      const exported = (key: KeyObject, type: 'spki' | 'pkcs8' | 'pkcs1' | 'sec1') => [
        key.export({ type: type as 'spki', format: 'pem' }),
        key.export({ type: type as 'spki', format: 'der' }),
      ]
      const publics = [
        ...exported(publicKey, 'spki'),
        ...(keyType.startsWith('RSA') ? exported(publicKey, 'pkcs1') : []),
      ]
      for (const file of publics)
        expect(await found(file)).toMatchObject({ ...wanted, kind: 'public key', hasPrivateKey: false })
      const older = keyType.startsWith('RSA')
        ? exported(privateKey, 'pkcs1')
        : keyType.startsWith('EC')
          ? exported(privateKey, 'sec1')
          : []
      for (const file of [...exported(privateKey, 'pkcs8'), ...older])
        expect(await found(file)).toMatchObject({ ...wanted, kind: 'private key', hasPrivateKey: true })
    },
  )

  it('is read from a certificate, with subject, issuer, validity and SPIFFE ID', async () => {
    const { cert } = await createSelfSigned('gpu-1', undefined, { spiffeId: 'spiffe://acme.example/gpu-1' })
    const { hex, notAfter = '' } = spkiFingerprint(cert)
    for (const file of [cert, derOf(cert), `some words before\n${cert}`]) {
      const key = await found(file)
      expect(key).toMatchObject({
        kind: 'certificate',
        fingerprint: hex,
        keyType: 'EC P-256',
        subject: 'CN=gpu-1',
        issuer: null,
        spiffeId: 'spiffe://acme.example/gpu-1',
        certificates: 1,
        hasPrivateKey: false,
      })
      expect(Date.parse(key.notAfter ?? '')).toBe(Date.parse(notAfter))
    }
  })

  it('is read from the leaf, wherever it is in the chain', async () => {
    const authority = await createAuthority('Acme CA')
    const { cert, key } = await authority.issueClient('gpu-1')
    const wanted = {
      fingerprint: spkiFingerprint(cert).hex,
      subject: 'CN=gpu-1',
      issuer: 'CN=Acme CA',
      certificates: 2,
    }
    expect(await found(`${cert}\n${authority.cert}`)).toMatchObject({ ...wanted, hasPrivateKey: false })
    expect(await found(`${authority.cert}\n${cert}`)).toMatchObject(wanted)
    expect(spkiFingerprint(`${authority.cert}\n${cert}`).hex).toBe(wanted.fingerprint)
    expect(await found(`${key}\n${cert}\n${authority.cert}`)).toMatchObject({
      ...wanted,
      kind: 'certificate',
      hasPrivateKey: true,
    })
  })

  it('is read from a certificate request', async () => {
    await import('reflect-metadata')
    const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = await import('@peculiar/x509')
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: [{ CN: ['gpu-2'] }, { O: ['Acmé Labs'] }],
      keys,
      signingAlgorithm: algorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'url', value: 'spiffe://acme.example/gpu-2' }])],
    })
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey))
    const hex = spkiFingerprint(
      createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ type: 'spki', format: 'pem' }),
    ).hex
    for (const file of [request.toString('pem'), Buffer.from(request.rawData)])
      expect(await found(file)).toMatchObject({
        kind: 'csr',
        fingerprint: hex,
        subject: 'CN=gpu-2, O=Acmé Labs',
        spiffeId: 'spiffe://acme.example/gpu-2',
      })
  })

  const locked = { cipher: 'aes-256-cbc', passphrase: 'heron' }
  const { privateKey } = pairs['EC P-256']
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey
  const archive = Buffer.from('3019020103301406092a864886f70d010701a0070405 3003020100'.replaceAll(' ', ''), 'hex')

  it.each([
    { name: 'words', file: 'nothing of the kind', problem: 'nothing found' },
    { name: 'an empty file', file: '', problem: 'nothing found' },
    { name: 'bytes that are not DER', file: Buffer.from([0x30, 0x85, 1, 2, 3]), problem: 'nothing found' },
    { name: 'an archive', file: archive, problem: 'archive' },
    {
      name: 'a truncated certificate',
      file: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      problem: 'not readable',
    },
    {
      name: 'an encrypted key',
      file: privateKey.export({ type: 'pkcs8', format: 'pem', ...locked }),
      problem: 'encrypted',
    },
    {
      name: 'an encrypted key, older',
      file: privateKey.export({ type: 'sec1', format: 'pem', ...locked }),
      problem: 'encrypted',
    },
    {
      name: 'an encrypted key as DER',
      file: privateKey.export({ type: 'pkcs8', format: 'der', ...locked }),
      problem: 'encrypted',
    },
    {
      name: 'a private key that browsers do not support',
      file: secp256k1.export({ type: 'pkcs8', format: 'pem' }),
      problem: 'not possible',
    },
    { name: 'a very large file', file: Buffer.alloc(1_000_001), problem: 'too large' },
  ])('is not found in $name, with the reason', async ({ file, problem }) => {
    expect(await read(file)).toEqual({ problem })
  })

  it('cannot be read on a page without https', async () => {
    vi.stubGlobal('crypto', {})
    try {
      expect(await read('')).toEqual({ problem: 'insecure page' })
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
