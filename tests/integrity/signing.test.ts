import { constants, createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { DeclaredSigner } from '@countersign/sdk/contract'
import {
  type ModelToSign,
  readModelSigning,
  readTrustedRoot,
  rootDigest,
  signModel,
  verifyBundle,
} from '@countersign/sdk/integrity'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChain, KeyUsageFlags } from '../support/sigstore/authority.ts'
import { base64, type Curve, ecKeys, type Keys, later, pemOf } from '../support/sigstore/keys.ts'
import { hexOf, model, signByCertificate, signStatement } from '../support/sigstore/model-bundle.ts'
import { type BundleJson, createPrivateSigstore, type PrivateSigstore } from '../support/sigstore/private-sigstore.ts'
import { artifact, digest as artifactDigest } from '../support/sigstore/signed.ts'

const now = new Date('2026-11-21T12:00:00Z')
const from = later(now, -86_400)
const root = rootDigest([{ digest: hexOf('{}') }, { digest: hexOf('weights') }])
const publicRoot = readTrustedRoot()

const keySigner = ({ publicKey }: Pick<Keys, 'publicKey'>): DeclaredSigner => ({
  kind: 'key',
  public_key: String(publicKey.export({ type: 'spki', format: 'pem' })),
})
const anchorSigner = (certificate: Buffer): DeclaredSigner => ({
  kind: 'certificate',
  certificate_chain: pemOf('CERTIFICATE', certificate),
})

const judge = (bundle: BundleJson | string, signer: DeclaredSigner, digest = root, trustedRoot = publicRoot) =>
  verifyBundle({
    bundle: typeof bundle === 'string' ? bundle : JSON.stringify(bundle),
    trustedRoot,
    digest,
    signers: [signer],
    now,
  })

const pemsOf = (certificates: readonly Buffer[]) =>
  certificates.map((certificate) => pemOf('CERTIFICATE', certificate)).join('')

const rsaKeys = (modulusLength = 2_048): Keys => generateKeyPairSync('rsa', { modulusLength })
const rsaPssKeys = (): Keys => generateKeyPairSync('rsa-pss', { modulusLength: 2_048 })

describe('signing with a certificate', () => {
  it.each<Curve>(['prime256v1', 'secp384r1', 'secp521r1'])(
    'makes a bundle that its authority vouches for: %s',
    async (curve) => {
      const keys = ecKeys(curve)
      const { root: anchor, chain } = await createChain({ leafKeys: keys, from, intermediates: 2 })
      const bundle = signModel(model, keys.privateKey, { certificates: pemsOf(chain) })
      expect(judge(bundle, anchorSigner(anchor))).toMatchObject({ status: 'verified', method: 'certificate' })
    },
  )

  it('puts each certificate into the bundle once, the signer’s first', async () => {
    const keys = ecKeys()
    const { chain } = await createChain({ leafKeys: keys, from })
    const bundle = JSON.parse(
      signModel(model, keys.privateKey, { certificates: pemsOf([...chain, ...chain]) }),
    ) as BundleJson
    expect(bundle.verificationMaterial.x509CertificateChain?.certificates.map(({ rawBytes }) => rawBytes)).toEqual(
      chain.map(base64),
    )
  })

  it.each([
    {
      name: 'another key',
      make: async () => pemsOf((await createChain({ leafKeys: ecKeys(), from })).chain),
      says: /another key/,
    },
    { name: 'nothing', make: async () => '', says: /No readable certificate/ },
    {
      name: 'encryption only',
      make: async (keys: Keys) =>
        pemsOf((await createChain({ leafKeys: keys, from, leafUsage: KeyUsageFlags.keyEncipherment })).chain),
      says: /may not sign/,
    },
  ])('is rejected if the certificate is for $name', async ({ make, says }) => {
    const keys = ecKeys()
    const certificates = await make(keys)
    expect(() => signModel(model, keys.privateKey, { certificates })).toThrow(says)
  })
})

describe('an RSA key', () => {
  const padded = (padding: number) => (keys: Keys, bytes: Buffer) =>
    sign('sha256', bytes, {
      key: keys.privateKey,
      padding,
      ...(padding === constants.RSA_PKCS1_PSS_PADDING && { saltLength: 32 }),
    })
  const [pkcs1, pss] = [padded(constants.RSA_PKCS1_PADDING), padded(constants.RSA_PKCS1_PSS_PADDING)]

  it.each([2_048, 3_072, 4_096])('of %i bits signs models that are verified', (bits) => {
    const keys = rsaKeys(bits)
    expect(judge(signModel(model, keys.privateKey), keySigner(keys))).toMatchObject({
      status: 'verified',
      method: 'key',
    })
    expect(judge(signModel({ ...model, name: 'x' }, keys.privateKey), keySigner(rsaKeys())).reason).toBe(
      'signer_mismatch',
    )
  })

  it('restricted to PSS signs models that are verified', () => {
    const keys = rsaPssKeys()
    expect(judge(signModel(model, keys.privateKey), keySigner(keys)).status).toBe('verified')
  })

  it('in a certificate signs models that its authority vouches for', async () => {
    const keys = rsaKeys()
    const { root: anchor, chain } = await createChain({ leafKeys: keys, from })
    const bundle = signModel(model, keys.privateKey, { certificates: pemsOf(chain) })
    expect(judge(bundle, anchorSigner(anchor)).status).toBe('verified')
    const forged = signByCertificate({ ...keys, privateKey: rsaKeys().privateKey }, chain)
    expect(judge(forged, anchorSigner(anchor)).reason).toBe('signature_invalid')
  })

  it.each([1_024, 2_056])('of %i bits is not supported by Sigstore', (modulusLength) => {
    const keys = rsaKeys(modulusLength)
    expect(() => signModel(model, keys.privateKey)).toThrow(RangeError)
    const bundle = signStatement({}, ecKeys(), { publicKey: { hint: '' } })
    if (bundle.dsseEnvelope) bundle.dsseEnvelope.payload = payloadOf(model)
    expect(judge(bundle, keySigner(keys))).toMatchObject({ status: 'error', reason: 'key_unsupported' })
  })

  const payloadOf = (toSign: ModelToSign) =>
    (JSON.parse(signModel(toSign, ecKeys().privateKey)) as { dsseEnvelope: { payload: string } }).dsseEnvelope.payload

  describe('an RSA signature over a digest', () => {
    const keys = rsaKeys()
    let sigstore: PrivateSigstore
    beforeAll(async () => {
      sigstore = await createPrivateSigstore({ at: now })
    })
    const signed = (signature: Buffer): BundleJson => ({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        publicKey: { hint: '' },
        tlogEntries: [],
        timestampVerificationData: { rfc3161Timestamps: [] },
      },
      messageSignature: {
        messageDigest: { algorithm: 'SHA2_256', digest: createHash('sha256').update(artifact).digest('base64') },
        signature: base64(signature),
      },
    })
    const statusOf = (signature: Buffer) => judge(signed(signature), keySigner(keys), artifactDigest).status

    it('is verified with either padding, and with its log entry', async () => {
      for (const make of [pkcs1, pss]) expect(statusOf(make(keys, artifact))).toBe('verified')
      const logged = await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact, managedKey: keys })
      const trustedRoot = readTrustedRoot(JSON.stringify(sigstore.trustedRoot()))
      expect(judge(logged, keySigner(keys), artifactDigest, trustedRoot)).toMatchObject({
        status: 'verified',
        log: { index: '1005' },
      })
    })

    it.each([0, 20, 32, 222])('is verified with a PSS salt of %i bytes', (saltLength) => {
      const { privateKey: key } = keys
      expect(statusOf(sign('sha256', artifact, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }))).toBe(
        'verified',
      )
    })

    it('is rejected over other bytes, by another hash, by another key, and with any byte changed', () => {
      const { privateKey: key } = keys
      const padding = constants.RSA_PKCS1_PSS_PADDING
      const refused = [
        ...[pkcs1, pss].flatMap((make) => [
          make(keys, Buffer.from('other')),
          make(rsaKeys(), artifact),
          make(keys, artifact).subarray(1),
        ]),
        sign('sha384', artifact, key),
        sign('sha512', artifact, { key, padding, saltLength: 32 }),
        Buffer.alloc(256),
        Buffer.alloc(256, 0xff),
        Buffer.concat([Buffer.alloc(255), Buffer.from([1])]),
      ]
      for (const signature of refused) expect(statusOf(signature)).not.toBe('verified')
      for (const good of [pkcs1(keys, artifact), pss(keys, artifact)]) {
        for (let at = 0; at < good.length; at += 5)
          expect(statusOf(good.with(at, (good[at] ?? 0) ^ 1) as Buffer)).not.toBe('verified')
      }
    })
  })
})

describe('a list by other digests', () => {
  const keys = ecKeys()
  const files = [
    { name: 'b', digest: 'b'.repeat(64) },
    { name: 'a', digest: `blake3:${'a'.repeat(64)}` },
  ]

  it('is signed with its algorithm and the length of its pieces', () => {
    const pieces = ['a:0:8', 'a:8:12', 'b:0:8'].map((name) => ({ name, digest: hexOf(name) }))
    const signed = signModel({ name: 'x', files: pieces, shardSize: 8 }, keys.privateKey)
    expect(readModelSigning(signed)).toMatchObject({
      state: 'read',
      model: {
        method: 'shards',
        shard_size: 8,
        hash_type: 'sha256',
        resources: pieces.map((piece) => ({ ...piece, algorithm: 'sha256' })),
      },
    })
    const blake = signModel({ name: 'x', files, algorithm: 'blake3' }, keys.privateKey)
    expect(readModelSigning(blake)).toMatchObject({
      model: {
        hash_type: 'blake3',
        resources: [{ name: 'a', algorithm: 'blake3', digest: 'a'.repeat(64) }, { name: 'b' }],
      },
    })
    expect(
      judge(blake, keySigner(keys), rootDigest([{ digest: 'a'.repeat(64) }, { digest: 'b'.repeat(64) }])).status,
    ).toBe('verified')
  })

  it('is rejected if a digest is of another algorithm', () => {
    expect(() => signModel({ name: 'x', files, algorithm: 'blake2b' }, keys.privateKey)).toThrow(/blake2b/)
    expect(() => signModel({ name: 'x', files }, keys.privateKey)).toThrow(/sha256/)
  })
})

describe('a model signed by model_signing 0.2', () => {
  const old = (digest = hexOf('weights')) => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'config.json', digest: { sha256: hexOf('{}') }, annotations: { actual_hash_algorithm: 'file-sha256' } },
      { name: 'weights/model.safetensors', digest: { sha256: digest } },
    ],
    predicateType: 'https://model_signing/Digests/v0.1',
    predicate: { unused: 'Unused' },
  })
  const type = 'application/vnd.in-toto+json'
  const signOld = (keys: Keys, statement: object = old()) => {
    const bundle = signStatement(statement, keys, { publicKey: { hint: '' } })
    const payload = JSON.stringify(statement)
    const signature = sign(
      'sha256',
      Buffer.from(`DSSEV1 ${type.length} ${type} ${payload.length} b'${payload}'`),
      keys.privateKey,
    )
    if (bundle.dsseEnvelope) bundle.dsseEnvelope.signatures = [{ sig: base64(signature), keyid: '' }]
    return bundle
  }

  it('is verified with its names, by a key and by a certificate', async () => {
    const keys = ecKeys()
    const bundle = signOld(keys)
    expect(judge(bundle, keySigner(keys))).toMatchObject({
      status: 'verified',
      predicate_type: 'https://model_signing/Digests/v0.1',
    })
    const files = [...model.files]
    const input = {
      bundle: JSON.stringify(bundle),
      trustedRoot: publicRoot,
      digest: root,
      signers: [keySigner(keys)],
      now,
    }
    expect(verifyBundle({ ...input, files }).status).toBe('verified')
    const renamed = files.map(({ name, digest }) => ({ name: `${name}.old`, digest }))
    expect(verifyBundle({ ...input, files: renamed }).reason).toBe('files_mismatch')
    const { root: anchor, chain } = await createChain({ leafKeys: keys, from })
    bundle.verificationMaterial = {
      ...bundle.verificationMaterial,
      x509CertificateChain: { certificates: chain.map((der) => ({ rawBytes: base64(der) })) },
    }
    delete bundle.verificationMaterial.publicKey
    expect(judge(bundle, anchorSigner(anchor)).status).toBe('verified')
  })

  it('is rejected with other content, by another key, and with names that leave the model', () => {
    const keys = ecKeys()
    expect(judge(signOld(keys, old(hexOf('other'))), keySigner(keys)).reason).toBe('digest_mismatch')
    expect(judge(signOld(keys), keySigner(ecKeys())).status).not.toBe('verified')
    const leaving = { ...old(), subject: [{ name: '../a', digest: { sha256: hexOf('a') } }] }
    expect(judge(signOld(keys, leaving), keySigner(keys)).reason).toBe('statement_invalid')
    for (const subject of [[], [{ name: 'a' }], [{ digest: { sha256: hexOf('a') } }], [null], 'a'])
      expect(judge(signOld(keys, { ...old(), subject }), keySigner(keys)).reason).toBe('statement_invalid')
  })

  it('shares its encoding with no other statement', () => {
    const keys = ecKeys()
    expect(
      judge(signOld(keys, { ...old(), predicateType: 'https://acme.example/other' }), keySigner(keys)).status,
    ).not.toBe('verified')
    expect(judge(signStatement(old(), keys, { publicKey: { hint: '' } }), keySigner(keys)).status).not.toBe('verified')
  })
})
