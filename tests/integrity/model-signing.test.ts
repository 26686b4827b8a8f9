import { generateKeyPairSync } from 'node:crypto'
import type { BundleReason, DeclaredSigner } from '@countersign/sdk/contract'
import {
  type ModelToSign,
  modelStatement,
  readModelSigning,
  readTrustedRoot,
  rootDigest,
  signModel,
  verifyBundle,
} from '@countersign/sdk/integrity'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ChainOptions,
  createChain,
  ExtendedKeyUsage,
  Extension,
  KeyUsageFlags,
} from '../support/sigstore/authority.ts'
import { type Curve, ecKeys, type Keys, later, pemOf, sha256 } from '../support/sigstore/keys.ts'
import { hexOf, model, signByCertificate, signStatement } from '../support/sigstore/model-bundle.ts'
import {
  type BundleJson,
  type BundleOptions,
  createPrivateSigstore,
  type PrivateSigstore,
} from '../support/sigstore/private-sigstore.ts'
import { artifact, digest as artifactDigest, statement } from '../support/sigstore/signed.ts'

const curves: Curve[] = ['prime256v1', 'secp384r1', 'secp521r1']
const now = new Date('2026-11-21T12:00:00Z')
const publicRoot = readTrustedRoot()
const root = rootDigest([{ digest: hexOf('{}') }, { digest: hexOf('weights') }])

const pemText = ({ publicKey }: Keys) => String(publicKey.export({ type: 'spki', format: 'pem' }))
const keySigner = (keys: Keys): DeclaredSigner => ({ kind: 'key', public_key: pemText(keys) })
const anchorSigner = (certificate: Buffer): DeclaredSigner => ({
  kind: 'certificate',
  certificate_chain: pemOf('CERTIFICATE', certificate),
})

const judge = (
  bundle: BundleJson | string,
  signers: readonly DeclaredSigner[],
  digest: string | null = root,
  trustedRoot = publicRoot,
) =>
  verifyBundle({
    bundle: typeof bundle === 'string' ? bundle : JSON.stringify(bundle),
    trustedRoot,
    digest,
    signers,
    now,
  })

const hinted = (hint = '') => ({ publicKey: { hint } })

describe('a model signed with a key', () => {
  const keys = ecKeys()

  it.each(curves)('is verified by its root digest: %s', (curve) => {
    const signer = ecKeys(curve)
    const verdict = judge(signModel(model, signer.privateKey), [keySigner(ecKeys(curve)), keySigner(signer)])
    expect(verdict).toMatchObject({
      status: 'verified',
      method: 'key',
      signed_digest: root,
      signed_at: null,
      log: null,
    })
    expect(verdict.signer?.key_fingerprint).toBe(
      sha256(signer.publicKey.export({ type: 'spki', format: 'der' })).toString('hex'),
    )
    const results = Object.fromEntries(verdict.checks.map(({ name, result }) => [name, result]))
    expect(results).toEqual({
      bundle: 'passed',
      signature: 'passed',
      certificate: 'not_checked',
      transparency_log: 'not_checked',
      time: 'not_checked',
      digest: 'passed',
      signer: 'passed',
    })
  })

  it.each(curves)('is verified with SHA-256 on any curve, as Sigstore’s own signers do: %s', async (curve) => {
    const sigstore = await createPrivateSigstore({ at: now })
    const signer = ecKeys(curve)
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement: modelStatement(model), managedKey: signer })
    expect(
      judge(bundle, [keySigner(signer)], root, readTrustedRoot(JSON.stringify(sigstore.trustedRoot()))).status,
    ).toBe('verified')
  })

  it('is also verified with Ed25519', () => {
    const signer = generateKeyPairSync('ed25519')
    expect(judge(signStatement(modelStatement(model), signer, hinted()), [keySigner(signer)]).status).toBe('verified')
  })

  it('is verified beside a declared key of an unsupported kind', () => {
    const weak: DeclaredSigner = {
      kind: 'key',
      public_key: pemText(generateKeyPairSync('rsa', { modulusLength: 1_024 })),
    }
    expect(judge(signStatement(modelStatement(model), keys, hinted()), [weak, keySigner(keys)]).status).toBe('verified')
  })

  it('of one file is verified by the digest of that file, and by its root', () => {
    const bundle = signModel({ name: 'one', files: [{ name: 'one.gguf', digest: hexOf('one') }] }, keys.privateKey)
    expect(judge(bundle, [keySigner(keys)], `sha256:${hexOf('one')}`).status).toBe('verified')
    expect(judge(bundle, [keySigner(keys)], rootDigest([{ digest: hexOf('one') }])).status).toBe('verified')
  })

  it.each([
    { name: 'one piece', algorithm: 'sha256', serialization: { method: 'shards', shard_size: 8 } },
    {
      name: 'one piece, as the reference names its hash',
      algorithm: 'sha256-sharded-8',
      serialization: { method: 'shards', shard_size: 8 },
    },
    { name: 'another hash of the same length', algorithm: 'blake3', serialization: { hash_type: 'blake3' } },
  ])(
    'of one file is not verified by a digest that is not the SHA-256 of the whole file: $name',
    ({ algorithm, serialization }) => {
      const good = modelStatement({ name: 'one', files: [{ name: 'one:0:8', digest: hexOf('one') }] }) as {
        predicate: { serialization: object }
      }
      const statement = {
        ...good,
        predicate: {
          resources: [{ name: 'one:0:8', algorithm, digest: hexOf('one') }],
          serialization: { ...good.predicate.serialization, ...serialization },
        },
      }
      const bundle = signStatement(statement, keys, hinted())
      expect(judge(bundle, [keySigner(keys)], `sha256:${hexOf('one')}`).reason).toBe('digest_mismatch')
      expect(judge(bundle, [keySigner(keys)], rootDigest([{ digest: hexOf('one') }])).status).toBe('verified')
    },
  )

  it.each(model.files)('of several files is not verified by the digest of one: $name', ({ digest }) => {
    expect(judge(signModel(model, keys.privateKey), [keySigner(keys)], `sha256:${digest}`).reason).toBe(
      'digest_mismatch',
    )
  })

  it('of another model by another signer is first reported as another model, and shows both faults', () => {
    const verdict = judge(signModel(model, keys.privateKey), [keySigner(ecKeys())], `sha256:${'0'.repeat(64)}`)
    expect(verdict).toMatchObject({ status: 'invalid', reason: 'digest_mismatch', signed_digest: expect.any(String) })
    expect(verdict.checks.filter(({ result }) => result === 'failed').map(({ name }) => name)).toEqual([
      'digest',
      'signer',
    ])
    expect(verdict.message).not.toMatch(/declare/i)
  })

  it('is unknown without a declared signer, for any signer', () => {
    const verdict = judge(signModel(model, keys.privateKey), [])
    expect(verdict).toMatchObject({
      status: 'unknown',
      reason: 'signer_not_declared',
      signer: null,
      signed_digest: null,
      message: expect.stringMatching(/^No signer is declared, so the signature could not be checked\./),
    })
    expect(verdict.checks.filter(({ result }) => result === 'passed').map(({ name }) => name)).toEqual(['bundle'])
  })

  it.each<{ name: string; reason: BundleReason; signers?: DeclaredSigner[]; bundle?: () => BundleJson | string }>([
    { name: 'another key', reason: 'signer_mismatch', signers: [keySigner(ecKeys())] },
    {
      name: 'a declared identity, but no key',
      reason: 'signer_mismatch',
      signers: [{ kind: 'identity', issuer: 'https://accounts.acme.example', identity: 'a@acme.example' }],
    },
    {
      name: 'an unreadable key',
      reason: 'signer_mismatch',
      signers: [{ kind: 'key', public_key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' }],
    },
    {
      name: 'a statement that was changed',
      reason: 'signature_invalid',
      bundle: () => {
        const bundle = JSON.parse(signModel(model, keys.privateKey))
        bundle.dsseEnvelope.payload = Buffer.from(JSON.stringify(modelStatement({ ...model, name: 'other' }))).toString(
          'base64',
        )
        return bundle
      },
    },
    {
      name: 'the hint of another key',
      reason: 'signer_mismatch',
      bundle: () => signStatement(modelStatement(model), keys, hinted('0'.repeat(64))),
    },
    {
      name: 'an RSA key that is too short',
      reason: 'key_unsupported',
      signers: [
        {
          kind: 'key',
          public_key: generateKeyPairSync('rsa', {
            modulusLength: 1_024,
            publicKeyEncoding: { type: 'spki', format: 'pem' },
            privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
          }).publicKey,
        },
      ],
      bundle: () => signStatement(modelStatement(model), keys, hinted()),
    },
  ])(
    'and checked against $name is $reason',
    ({ reason, signers = [keySigner(keys)], bundle = () => signModel(model, keys.privateKey) }) => {
      const verdict = judge(bundle(), signers)
      expect(verdict.reason, verdict.message).toBe(reason)
      expect(verdict.status).not.toBe('verified')
    },
  )
})

describe('an artifact signed with a key', () => {
  let sigstore: PrivateSigstore
  let theirs: PrivateSigstore
  beforeAll(async () => {
    sigstore = await createPrivateSigstore({ at: now })
    theirs = await createPrivateSigstore({ at: now })
  })
  const check = async (
    options: Partial<BundleOptions>,
    signer: Keys,
    edit: (bundle: BundleJson) => void = () => {},
  ) => {
    const bundle = await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact, managedKey: signer, ...options })
    edit(bundle)
    return judge(bundle, [keySigner(signer)], artifactDigest, readTrustedRoot(JSON.stringify(sigstore.trustedRoot())))
  }

  it.each(curves)('is verified with its log entry, from the digest alone: %s', async (curve) => {
    const verdict = await check({}, ecKeys(curve))
    expect(verdict).toMatchObject({
      status: 'verified',
      method: 'key',
      log: { index: '1005' },
      signed_at: sigstore.signedAt.toISOString(),
    })
  })

  // Half of all signatures have the higher s, which cryptocurrency verifiers reject.
  it('is verified for both values of s', async () => {
    const signer = ecKeys()
    for (let round = 0; round < 12; round++) {
      expect(
        (
          await check({}, signer, ({ verificationMaterial }) => {
            verificationMaterial.tlogEntries = []
          })
        ).status,
      ).toBe('verified')
    }
  })

  it.each<{
    name: string
    reason: BundleReason
    options?: () => Partial<BundleOptions>
    edit?: (bundle: BundleJson) => void
    signer?: Keys
  }>([
    {
      name: 'an entry for another key',
      reason: 'log_entry_mismatch',
      options: () => ({ records: { key: { publicKey: ecKeys().publicKey.export({ type: 'spki', format: 'der' }) } } }),
    },
    {
      name: 'an entry for another signature',
      reason: 'log_entry_mismatch',
      options: () => ({ records: { signature: Buffer.from('another') } }),
    },
    { name: 'a forged proof', reason: 'log_proof_invalid', options: () => ({ entry: { forgedProof: true } }) },
    {
      name: 'a timestamp of another authority',
      reason: 'time_invalid',
      options: () => ({ stamped: true, stampBy: (over) => theirs.stamp(over) }),
    },
    { name: 'a time in the future', reason: 'time_in_future', options: () => ({ entry: { time: later(now, 3_600) } }) },
    {
      name: 'a signature over other bytes',
      reason: 'signer_mismatch',
      options: () => ({ signs: Buffer.from('other') }),
    },
    {
      name: 'a digest written over another artifact’s',
      reason: 'signer_mismatch',
      options: () => ({ artifact: Buffer.from('another artifact') }),
      edit: ({ messageSignature, verificationMaterial }) => {
        verificationMaterial.tlogEntries = []
        if (messageSignature)
          messageSignature.messageDigest.digest = Buffer.from(artifactDigest.slice(7), 'hex').toString('base64')
      },
    },
  ])('with $name is $reason', async ({ reason, options, edit }) => {
    const verdict = await check(options?.() ?? {}, ecKeys(), edit)
    expect(verdict.reason, verdict.message).toBe(reason)
    expect(verdict.status).not.toBe('verified')
  })

  it('shows no time that the log did not sign', async () => {
    const unsigned = await check(
      { entry: { promise: false } },
      ecKeys(),
      ({ verificationMaterial: { tlogEntries } }) => {
        for (const entry of tlogEntries) entry.integratedTime = String(Math.floor(now.getTime() / 1_000) - 86_400)
      },
    )
    expect(unsigned).toMatchObject({ status: 'verified', signed_at: null })
  })

  it('with Ed25519 cannot be checked from a digest, and says so', async () => {
    const signer = generateKeyPairSync('ed25519')
    const bundle = await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact, managedKey: ecKeys() })
    expect(judge(bundle, [keySigner(signer)], artifactDigest)).toMatchObject({
      status: 'error',
      reason: 'key_unsupported',
    })
  })

  it('is not accepted as a certificate’s signature, nor a certificate’s as a key’s', async () => {
    const trustedRoot = readTrustedRoot(JSON.stringify(sigstore.trustedRoot()))
    const byKey = await sigstore.bundle({ kind: 'dsse/0.0.1', statement, managedKey: ecKeys() })
    const byCertificate = await sigstore.bundle({ kind: 'dsse/0.0.1', statement })
    expect(judge(byKey, [{ kind: 'identity', issuer: 'x', identity: 'y' }], artifactDigest, trustedRoot).reason).toBe(
      'signer_mismatch',
    )
    expect(judge(byCertificate, [keySigner(ecKeys())], artifactDigest, trustedRoot).reason).toBe('signer_mismatch')
  })
})

describe('a model signed with a certificate', () => {
  const from = later(now, -86_400)
  const make = async (options: Partial<ChainOptions> = {}, curve: Curve = 'prime256v1') => {
    const keys = ecKeys(curve)
    const { root: anchor, chain } = await createChain({ leafKeys: keys, from, ...options })
    return { keys, anchor, chain }
  }

  it.each(curves)('is verified if its chain leads to the declared authority: %s', async (curve) => {
    const { keys, anchor, chain } = await make({}, curve)
    const verdict = judge(signByCertificate(keys, chain), [anchorSigner(anchor)])
    expect(verdict).toMatchObject({ status: 'verified', method: 'certificate', signed_at: null })
    expect(verdict.signer?.identity).toContain('CN=Acme Models')
    expect(verdict.message).toContain('someone certified by a declared authority: ')
    const { detail } = verdict.checks.find(({ name }) => name === 'certificate') ?? {}
    expect(detail).toMatch(/^Leads to a declared authority that calls itself “[^”]+”\. That name was not checked\./)
  })

  it('is not said to lead to a well-known authority because its own one has that name', async () => {
    const { keys, anchor, chain } = await make({ rootName: 'CN=DigiCert Global Root G2,O=DigiCert Inc' })
    const { status, checks } = judge(signByCertificate(keys, chain), [anchorSigner(anchor)])
    expect(status).toBe('verified')
    const { detail } = checks.find(({ name }) => name === 'certificate') ?? {}
    expect(detail).toMatch(
      /^Leads to a declared authority that calls itself “[^”]*CN=DigiCert Global Root G2[^”]*”\. That name was not checked\./,
    )
  })

  it.each<{ name: string; options: Partial<ChainOptions> }>([
    { name: 'without intermediate authorities', options: { intermediates: 0 } },
    { name: 'with three intermediate authorities', options: { intermediates: 3 } },
    { name: 'as many as the root allows', options: { intermediates: 2, pathLength: 2 } },
    {
      name: 'for code signing, by its extended key usage alone',
      options: { leafUsage: 0, leafExtendedUsage: [ExtendedKeyUsage.codeSigning] },
    },
  ])('is verified $name', async ({ options }) => {
    const { keys, anchor, chain } = await make(options)
    expect(judge(signByCertificate(keys, chain), [anchorSigner(anchor)]).reason).toBe(null)
  })

  it('is verified for any order and number of other certificates', async () => {
    const { keys, anchor, chain } = await make({ intermediates: 3 })
    const { chain: others } = await make({ intermediates: 3 })
    const [leaf, ...between] = chain
    expect(
      judge(signByCertificate(keys, [leaf ?? Buffer.alloc(0), ...others, ...between.reverse()]), [anchorSigner(anchor)])
        .status,
    ).toBe('verified')
  })

  it.each<{ name: string; reason: BundleReason; options?: Partial<ChainOptions>; at?: Date }>([
    {
      name: 'an intermediate that is not an authority',
      reason: 'certificate_untrusted',
      options: { intermediateIsAuthority: false },
    },
    {
      name: 'an intermediate that is not an authority and has no key usage',
      reason: 'certificate_untrusted',
      options: { intermediateIsAuthority: false, intermediateUsage: 0 },
    },
    {
      name: 'an intermediate that may not issue',
      reason: 'certificate_untrusted',
      options: { intermediateUsage: KeyUsageFlags.digitalSignature },
    },
    {
      name: 'more intermediates than the root allows',
      reason: 'certificate_untrusted',
      options: { intermediates: 2, pathLength: 1 },
    },
    {
      name: 'an intermediate with an unknown critical extension',
      reason: 'certificate_untrusted',
      options: { extraOfIntermediate: [new Extension('2.5.29.30', true, new Uint8Array([0x30, 0x00]))] },
    },
    {
      name: 'an issuer whose name differs from the authority’s',
      reason: 'certificate_untrusted',
      options: { leafIssuer: 'CN=Northwind Issuing' },
    },
    {
      name: 'a certificate with an unknown critical extension',
      reason: 'certificate_unreadable',
      options: { extraOfLeaf: [new Extension('2.5.29.30', true, new Uint8Array([0x30, 0x00]))] },
    },
    {
      name: 'a name that looks like another',
      reason: 'certificate_unreadable',
      options: { leafName: 'CN=Acme \u202eselpmaxe' },
    },
    {
      name: 'a name longer than any that can be declared',
      reason: 'certificate_unreadable',
      options: { leafName: `CN=${'a'.repeat(2_100)}` },
    },
    { name: 'a certificate that has expired', reason: 'certificate_expired', options: { leafDays: 0.5 } },
    { name: 'an authority that has expired', reason: 'certificate_expired', options: { days: 0.5, leafDays: 30 } },
    { name: 'certificates that are not valid yet', reason: 'certificate_expired', options: { from: later(now, 60) } },
    { name: 'a certificate without a usage', reason: 'certificate_not_for_signing', options: { leafUsage: 0 } },
    {
      name: 'a certificate for key encipherment',
      reason: 'certificate_not_for_signing',
      options: { leafUsage: KeyUsageFlags.keyAgreement },
    },
    {
      name: 'a certificate of an authority',
      reason: 'certificate_not_for_signing',
      options: { leafIsAuthority: true, leafUsage: KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign },
    },
  ])('with $name is $reason', async ({ reason, options }) => {
    const { keys, anchor, chain } = await make(options)
    const verdict = judge(signByCertificate(keys, chain), [anchorSigner(anchor)])
    expect(verdict.reason, verdict.message).toBe(reason)
    expect(verdict.status).not.toBe('verified')
  })

  it('by another authority of the same name is certificate_untrusted', async () => {
    const { keys, chain } = await make()
    const { anchor } = await make()
    expect(judge(signByCertificate(keys, chain), [anchorSigner(anchor)])).toMatchObject({
      status: 'invalid',
      reason: 'certificate_untrusted',
    })
  })

  it('by a key other than the certificate’s is signature_invalid', async () => {
    const { anchor, chain } = await make()
    expect(judge(signByCertificate(ecKeys(), chain), [anchorSigner(anchor)]).reason).toBe('signature_invalid')
  })

  it('is unknown without a declared signer, and a mismatch with only others', async () => {
    const { keys, chain } = await make()
    const bundle = signByCertificate(keys, chain)
    expect(judge(bundle, [])).toMatchObject({
      status: 'unknown',
      reason: 'signer_not_declared',
      signer: { identity: null },
    })
    expect(judge(bundle, [keySigner(keys)])).toMatchObject({ status: 'invalid', reason: 'signer_mismatch' })
  })

  it('with unreadable certificates, or none, is rejected', async () => {
    const { keys, anchor, chain } = await make()
    const [leaf = Buffer.alloc(0)] = chain
    expect(judge(signByCertificate(keys, [leaf, Buffer.from('no certificate')]), [anchorSigner(anchor)]).reason).toBe(
      'certificate_unreadable',
    )
    expect(judge(signByCertificate(keys, []), [anchorSigner(anchor)]).reason).toBe('bundle_unreadable')
    expect(judge(signByCertificate(keys, Array(33).fill(leaf)), [anchorSigner(anchor)]).reason).toBe(
      'bundle_unreadable',
    )
  })
})

describe('the statement of a model', () => {
  const keys = ecKeys()
  const good = modelStatement(model) as { subject: unknown; predicate: { resources: object[]; serialization: object } }
  const withResources = (
    resources: { name: string; algorithm: string; digest: string }[],
    serialization: object = {},
  ) => ({
    ...good,
    subject: [{ name: 'x', digest: { sha256: rootDigest(resources).slice(7) } }],
    predicate: { resources, serialization: { ...good.predicate.serialization, ...serialization } },
  })
  const resource = (name: string, algorithm = 'sha256', digest = hexOf(name)) => ({ name, algorithm, digest })
  const read = (statement: unknown) => readModelSigning(JSON.stringify(signStatement(statement, keys, hinted())))

  it.each([
    {
      name: 'a root digest that is not that of the files',
      statement: { ...good, subject: [{ name: 'x', digest: { sha256: hexOf('x') } }] },
    },
    { name: 'two subjects', statement: { ...good, subject: [good.subject, good.subject].flat() } },
    { name: 'no files', statement: withResources([]) },
    { name: 'a file twice', statement: withResources([resource('a'), resource('a')]) },
    ...['../a', 'a/../b', '/a', 'a//b', 'a/', './a', 'a\\b', 'C:/a', 'a\0b', '..'].map((name) => ({
      name: `the path ${JSON.stringify(name)}`,
      statement: withResources([resource(name)]),
    })),
    { name: 'a lone dot among others', statement: withResources([resource('.'), resource('a')]) },
    { name: 'an unknown algorithm', statement: withResources([resource('a', 'md5', '0'.repeat(32))]) },
    { name: 'a digest of the wrong length', statement: withResources([resource('a', 'sha512')]) },
    { name: 'digests in upper case', statement: withResources([resource('a', 'sha256', hexOf('a').toUpperCase())]) },
    { name: 'an unknown serialization', statement: withResources([resource('a')], { method: 'tar' }) },
  ])('with $name is rejected before any signature is checked', ({ statement }) => {
    expect(read(statement)).toMatchObject({ state: 'invalid', reason: 'statement_invalid' })
    expect(judge(signStatement(statement, keys, hinted()), [keySigner(keys)])).toMatchObject({
      status: 'invalid',
      reason: 'statement_invalid',
    })
  })

  it.each([
    { name: 'a single file named by a dot, as the reference does', statement: withResources([resource('.')]) },
    {
      name: 'BLAKE2b',
      statement: withResources([resource('a', 'blake2b', '0'.repeat(128))], { hash_type: 'blake2b' }),
    },
    {
      name: 'shards',
      statement: withResources([resource('a:0:8', 'sha256-sharded-8')], { method: 'shards', shard_size: 8 }),
    },
    { name: 'unusual names inside the folder', statement: withResources([resource('...'), resource('a b/ü:c')]) },
  ])('with $name is read', ({ statement }) => {
    expect(read(statement)).toMatchObject({ state: 'read', method: 'key' })
  })

  it('returns what was signed: files in their order, and ignored paths', () => {
    const signed = signModel({ ...model, ignorePaths: ['.git', 'model.sig'], allowSymlinks: true }, keys.privateKey)
    expect(readModelSigning(signed)).toEqual({
      state: 'read',
      method: 'key',
      model: {
        name: 'tiny',
        root_digest: root,
        resources: [
          resource('config.json', 'sha256', hexOf('{}')),
          resource('weights/model.safetensors', 'sha256', hexOf('weights')),
        ],
        method: 'files',
        shard_size: null,
        hash_type: 'sha256',
        ignore_paths: ['.git', 'model.sig'],
        allow_symlinks: true,
      },
    })
  })

  it('lists files by code points, which is not JavaScript’s order', () => {
    const names = ['b', 'a/b', 'a.txt', 'a', '\u{1f600}', '\uffee', 'Z']
    const statement = modelStatement({
      name: 'x',
      files: names.map((name) => ({ name, digest: hexOf(name) })),
    }) as typeof good
    expect(statement.predicate.resources.map((entry) => (entry as { name: string }).name)).toEqual([
      'Z',
      'a',
      'a.txt',
      'a/b',
      'b',
      '\uffee',
      '\u{1f600}',
    ])
  })

  it.each<{ name: string; files: ModelToSign['files'] }>([
    { name: 'no files', files: [] },
    {
      name: 'a file twice',
      files: [
        { name: 'a', digest: hexOf('a') },
        { name: 'a', digest: hexOf('b') },
      ],
    },
    { name: 'a path out of the folder', files: [{ name: '../a', digest: hexOf('a') }] },
    { name: 'a missing SHA-256', files: [{ name: 'a', digest: 'sha1:00' }] },
  ])('is not made for $name', ({ files }) => {
    expect(() => modelStatement({ name: 'x', files })).toThrow(RangeError)
  })

  it('is signed with a PEM key and its passphrase, and only with keys that others can check', () => {
    const { privateKey } = keys
    const pem = String(
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'correct horse' }),
    )
    expect(judge(signModel(model, pem, { passphrase: 'correct horse' }), [keySigner(keys)]).status).toBe('verified')
    expect(() => signModel(model, pem, { passphrase: 'wrong' })).toThrow()
    expect(() => signModel(model, generateKeyPairSync('ed25519').privateKey)).toThrow(RangeError)
  })

  it('of another kind of bundle is distinguished', async () => {
    const sigstore = await createPrivateSigstore()
    const bundle = await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact })
    expect(readModelSigning(JSON.stringify(bundle))).toMatchObject({ state: 'invalid', reason: 'bundle_unsupported' })
  })
})

describe('the trusted root', () => {
  it('is the public one by default, with its date', () => {
    expect(publicRoot).toMatchObject({ state: 'ready', date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) })
  })
  it('that is too large, not JSON or not a root says so', () => {
    for (const json of ['', '[]', '{"tlogs":[{}]}']) expect(readTrustedRoot(json).state).toBe('invalid')
    expect(readTrustedRoot('{}')).toMatchObject({ state: 'invalid', detail: 'It names no authority' })
  })
  it('that is valid but too large is not read', async () => {
    const root = (await createPrivateSigstore()).trustedRoot()
    expect(readTrustedRoot(JSON.stringify(root)).state).toBe('ready')
    expect(readTrustedRoot(JSON.stringify({ ...root, note: 'x'.repeat(5_000_000) })).state).toBe('invalid')
  })
})
