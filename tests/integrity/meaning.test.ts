import { sign } from 'node:crypto'
import type { BundleVerdict, DeclaredSigner } from '@countersign/sdk/contract'
import {
  type BundleInput,
  isTied,
  modelStatement,
  readTrustedRoot,
  rootDigest,
  type SignerTies,
  signModel,
  verifyBundle,
} from '@countersign/sdk/integrity'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../support/sigstore/authority.ts'
import { base64, type Curve, ecKeys, type Keys, later, pemOf } from '../support/sigstore/keys.ts'
import { hexOf, model, signByCertificate, signStatement } from '../support/sigstore/model-bundle.ts'
import {
  type BundleJson,
  createPrivateSigstore,
  identity,
  issuer,
  type PrivateSigstore,
  repository,
} from '../support/sigstore/private-sigstore.ts'
import { artifact, digest, statement } from '../support/sigstore/signed.ts'

const now = new Date('2026-11-21T12:00:00Z')
const root = rootDigest([{ digest: hexOf('{}') }, { digest: hexOf('weights') }])
const keys = ecKeys()
const keySigner = ({ publicKey }: Keys): DeclaredSigner => ({
  kind: 'key',
  public_key: String(publicKey.export({ type: 'spki', format: 'pem' })),
})
const hinted = { publicKey: { hint: '' } }

const judge = (bundle: BundleJson | string, input: Partial<BundleInput> = {}): BundleVerdict =>
  verifyBundle({
    bundle: typeof bundle === 'string' ? bundle : JSON.stringify(bundle),
    trustedRoot: readTrustedRoot(),
    digest: root,
    signers: [keySigner(keys)],
    now,
    ...input,
  })

/** Signs a digest that the bundle may then claim for another algorithm. */
const signDigest = (
  signer: Keys,
  over: Buffer,
  hash: string,
  said: { algorithm: string; digest: Buffer },
): BundleJson => ({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: { ...hinted, tlogEntries: [], timestampVerificationData: { rfc3161Timestamps: [] } },
  messageSignature: {
    messageDigest: { algorithm: said.algorithm, digest: base64(said.digest) },
    signature: base64(sign(hash, over, signer.privateKey)),
  },
})

describe('the content of a signature', () => {
  const files = [...model.files]
  const attested = (predicateType: string, predicate: unknown = {}, subject = root) =>
    signStatement(
      { ...statement, predicateType, predicate, subject: [{ digest: { sha256: subject.slice(7) } }] },
      keys,
      hinted,
    )

  it('verifies no model by an attestation, and names its predicate type', () => {
    const verdict = judge(attested('https://slsa.dev/provenance/v1'))
    expect(verdict).toMatchObject({
      status: 'unknown',
      reason: 'attestation_only',
      predicate_type: 'https://slsa.dev/provenance/v1',
    })
    expect(verdict.message).toContain('An attestation of type “https://slsa.dev/provenance/v1”')
  })

  it.each([
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: 'FAILED' } },
    { type: 'https://slsa.dev/verification_summary/v0.2', predicate: { verificationResult: 'failed' } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: {} },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: 'PASSED' },
    { type: 'https://slsa.dev/verification_summary', predicate: { verificationResult: 'FAIL' } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: 'DENIED' } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: 'failed ' } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: ['FAILED'] } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: ['PASSED'] } },
    { type: 'https://slsa.dev/verification_summary/v1', predicate: { verificationResult: 'passed' } },
    { type: 'https://in-toto.io/attestation/test-result/v0.1', predicate: { result: 'FAILED' } },
    { type: 'https://in-toto.io/attestation/test-result/v0.1', predicate: { result: ['failed '] } },
  ])('rejects an attestation that its subject failed: $type $predicate', ({ type, predicate }) => {
    expect(judge(attested(type, predicate))).toMatchObject({ status: 'invalid', reason: 'attestation_failed' })
  })

  it('accepts a passed verification summary as an attestation only', () => {
    expect(judge(attested('https://slsa.dev/verification_summary/v1', { verificationResult: 'PASSED' })).reason).toBe(
      'attestation_only',
    )
  })

  it('compares the names in a folder with the signed names', () => {
    const bundle = signModel(model, keys.privateKey)
    expect(judge(bundle, { files }).status).toBe('verified')
    // The same contents in the same order: the root digest contains no names.
    const renamed = files.map((file) => ({ ...file, name: file.name.replace('config', 'confiG') }))
    expect(judge(bundle, { files: renamed })).toMatchObject({ status: 'invalid', reason: 'files_mismatch' })
    expect(judge(bundle, { files: files.slice(0, 1) }).reason).toBe('files_mismatch')
    // As many names, but one is repeated and one is missing.
    expect(judge(bundle, { files: files.map(() => ({ name: '', digest: '', ...files[0] })) }).reason).toBe(
      'files_mismatch',
    )
  })

  it.each([
    {
      name: 'an attestation',
      reason: 'attestation_only',
      bundle: () => attested('https://slsa.dev/provenance/v1'),
    },
    {
      name: 'a signature over its root digest',
      reason: 'names_not_signed',
      bundle: () => {
        const listed = Buffer.concat([hexOf('{}'), hexOf('weights')].map((hex) => Buffer.from(hex, 'hex')))
        return signDigest(keys, listed, 'sha256', { algorithm: 'SHA2_256', digest: Buffer.from(root.slice(7), 'hex') })
      },
    },
  ])('does not verify a folder by $name, which contains no names', ({ bundle, reason }) => {
    const verdict = judge(bundle(), { files })
    expect(verdict).toMatchObject({ status: 'unknown', reason })
    expect(verdict.checks.find(({ name }) => name === 'digest')?.result).toBe('not_checked')
  })

  it('verifies a single file under any name by a signature over its digest, and by a model signature', () => {
    const one = [{ name: 'here.gguf', digest: hexOf('one') }]
    const over = { algorithm: 'SHA2_256', digest: Buffer.from(hexOf('one'), 'hex') }
    const single = { digest: `sha256:${hexOf('one')}`, files: one }
    expect(judge(signDigest(keys, Buffer.from('one'), 'sha256', over), single).status).toBe('verified')
    expect(
      judge(signModel({ name: 'x', files: [{ name: 'there.gguf', digest: hexOf('one') }] }, keys.privateKey), single)
        .status,
    ).toBe('verified')
  })

  it('does not take the root digest of several files for the digest of a single one', () => {
    const bundle = signModel(model, keys.privateKey)
    const digests = [{ name: 'whole.safetensors', digest: root }]
    expect(judge(bundle, { files: digests })).toMatchObject({ status: 'invalid', reason: 'files_mismatch' })
  })

  it('compares a digest to its last character', () => {
    const other = (digest: string) => digest.slice(0, -1) + (digest.endsWith('0') ? '1' : '0')
    const bundle = signModel(model, keys.privateKey)
    expect(judge(bundle, { digest: other(root) })).toMatchObject({
      status: 'invalid',
      reason: 'digest_mismatch',
      signed_digest: root,
    })
    const [first, ...rest] = files
    if (!first) throw new Error('The model has no file')
    const changed = [{ ...first, digest: other(first.digest) }, ...rest]
    expect(judge(bundle, { files: changed })).toMatchObject({ status: 'invalid', reason: 'files_mismatch' })
  })

  it('accepts a model signature only in an in-toto statement v1', () => {
    const old = { ...modelStatement(model), _type: 'https://in-toto.io/Statement/v0.1' }
    expect(judge(signStatement(old, keys, hinted)).reason).toBe('statement_invalid')
  })
})

describe('a signature over a digest', () => {
  const bytes = Buffer.from('the bytes of a model')
  const hashed = async (name: string) => (await import('node:crypto')).createHash(name).update(bytes).digest()

  it.each<{ curve: Curve; hash: string; algorithm: string; said: string; length: number }>([
    { curve: 'prime256v1', hash: 'sha256', algorithm: 'SHA2_512', said: 'sha512', length: 64 },
    { curve: 'prime256v1', hash: 'sha256', algorithm: 'SHA2_384', said: 'sha384', length: 48 },
    { curve: 'secp384r1', hash: 'sha384', algorithm: 'SHA2_512', said: 'sha512', length: 64 },
  ])(
    'made with $curve over $hash is invalid for a $said that begins with it',
    async ({ curve, hash, algorithm, said, length }) => {
      const signer = ecKeys(curve)
      const digest = Buffer.concat([await hashed(hash), Buffer.alloc(length, 7)]).subarray(0, length)
      const verdict = judge(signDigest(signer, bytes, hash, { algorithm, digest }), {
        digest: `${said}:${digest.toString('hex')}`,
        signers: [keySigner(signer)],
      })
      expect(verdict.status).not.toBe('verified')
    },
  )

  it('made over a SHA-512 is invalid for the SHA-256 that it begins with', async () => {
    const digest = (await hashed('sha512')).subarray(0, 32)
    const bundle = signDigest(keys, bytes, 'sha512', { algorithm: 'SHA2_512', digest: await hashed('sha512') })
    expect(judge(bundle, { digest: `sha512:${(await hashed('sha512')).toString('hex')}` }).status).not.toBe('verified')
    // As a SHA-256 it is the same number; P-256 is never used with the longer hash, which distinguishes them.
    expect(digest).toHaveLength(32)
  })

  it('made over a SHA-256 is invalid for the same number with leading zeros', async () => {
    const signer = ecKeys('secp384r1')
    const digest = Buffer.concat([Buffer.alloc(16), await hashed('sha256')])
    const verdict = judge(signDigest(signer, bytes, 'sha256', { algorithm: 'SHA2_384', digest }), {
      digest: `sha384:${digest.toString('hex')}`,
      signers: [keySigner(signer)],
    })
    expect(verdict.status).not.toBe('verified')
  })
})

describe('the owner of a signature', () => {
  const fingerprint = judge(signModel(model, keys.privateKey)).signer?.key_fingerprint ?? ''
  const nothing: SignerTies = { keys: [], domains: [], repositories: [] }
  const signed = signModel(model, keys.privateKey)

  it('is a third party if the declared key was not proven, and passes no check', () => {
    const verdict = judge(signed, { ties: nothing })
    expect(verdict).toMatchObject({
      status: 'unknown',
      reason: 'signer_not_tied',
      signer: { key_fingerprint: fingerprint },
    })
    expect(verdict.checks.find(({ name }) => name === 'signer')?.result).toBe('not_checked')
    expect(verdict.message).toMatch(/^Signed by a third party/)
    expect(judge(signed, { ties: { ...nothing, keys: [fingerprint] } }).status).toBe('verified')
  })

  it('is not stated for another digest, or for a version without one', () => {
    expect(judge(signed, { ties: nothing, digest: null }).reason).toBe('digest_missing')
    expect(judge(signed, { ties: nothing, digest: `sha256:${'0'.repeat(64)}` }).reason).toBe('digest_mismatch')
  })

  describe('a Sigstore certificate', () => {
    let sigstore: PrivateSigstore
    beforeAll(async () => {
      sigstore = await createPrivateSigstore({ at: now })
    })
    const check = async (options: { ties: SignerTies; signer?: DeclaredSigner }) =>
      judge(await sigstore.bundle({ kind: 'hashedrekord/0.0.1', artifact }), {
        digest,
        trustedRoot: readTrustedRoot(JSON.stringify(sigstore.trustedRoot())),
        signers: [options.signer ?? { kind: 'identity', issuer, identity }],
        ties: options.ties,
      })

    it('is the provider’s own if a job of that repository proved it, ignoring letter case', async () => {
      const own = { issuer, repository: repository.replace('acme', 'Acme') }
      expect((await check({ ties: { ...nothing, repositories: [own] } })).status).toBe('verified')
      expect(
        (await check({ ties: { ...nothing, repositories: [{ ...own, issuer: 'https://gitlab.com' }] } })).reason,
      ).toBe('signer_not_tied')
      expect(
        (await check({ ties: { ...nothing, repositories: [{ ...own, repository: `${repository}-evil` }] } })).reason,
      ).toBe('signer_not_tied')
    })

    it('for an unnamed repository does not match an undeclared one', async () => {
      const bundle = await sigstore.bundle({
        kind: 'hashedrekord/0.0.1',
        artifact,
        certificate: { repository: undefined, workflow: undefined },
      })
      const nameless = { kind: 'repository', issuer, repository: null } as unknown as DeclaredSigner
      const verdict = judge(bundle, {
        digest,
        trustedRoot: readTrustedRoot(JSON.stringify(sigstore.trustedRoot())),
        signers: [nameless],
      })
      expect(verdict.status).not.toBe('verified')
    })
  })

  it('is the provider’s own for a mailbox at exactly a proven domain', () => {
    const signer = { issuer: 'https://accounts.example', repository: null, workflow: null, key_fingerprint: null }
    const ties = { ...nothing, domains: ['acme.example'] }
    expect(isTied({ ...signer, identity: 'release@Acme.example' }, ties)).toBe(true)
    for (const other of [
      'x@evil.acme.example',
      'acme.example',
      'https://x@acme.example',
      'x@acme.example@evil.example',
      'x@acme.example/y',
      null,
    ])
      expect(isTied({ ...signer, identity: other }, ties), String(other)).toBe(false)
  })

  it('from a declared authority is the provider’s own only if the holder of its key proved it', async () => {
    const { root: anchor, chain } = await createChain({ leafKeys: keys, from: later(now, -86_400) })
    const signers: DeclaredSigner[] = [{ kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', anchor) }]
    const bundle = signByCertificate(keys, chain)
    expect(judge(bundle, { signers, ties: nothing }).reason).toBe('signer_not_tied')
    expect(judge(bundle, { signers, ties: { ...nothing, keys: [fingerprint] } }).status).toBe('verified')
  })
})

it.each([{ isAuthority: true }, { isAuthority: false }])(
  'a self-signed certificate that is itself declared is its own authority (authority: $isAuthority)',
  async ({ isAuthority }) => {
    const { chain } = await createChain({
      leafKeys: keys,
      from: later(now, -86_400),
      selfSigned: true,
      leafIsAuthority: isAuthority,
    })
    const [leaf = Buffer.alloc(0)] = chain
    const signers: DeclaredSigner[] = [{ kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', leaf) }]
    expect(judge(signByCertificate(keys, [leaf]), { signers })).toMatchObject({
      status: 'verified',
      method: 'certificate',
    })
    const { root: other } = await createChain({ leafKeys: ecKeys(), from: later(now, -86_400) })
    const declared: DeclaredSigner[] = [{ kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', other) }]
    expect(judge(signByCertificate(keys, [leaf]), { signers: declared }).status).not.toBe('verified')
  },
)

// DER drops zeros at the end of a fraction: 630 ms are written as .63, and 0 ms not at all.
it.each([0, 123, 630, 800])('reads a timestamp %i ms into a second', async (ms) => {
  const sigstore = await createPrivateSigstore()
  const { signedAt } = sigstore
  const bundle = await sigstore.bundle({
    kind: 'hashedrekord/0.0.2',
    artifact,
    stampAt: new Date(signedAt.getTime() + ms),
  })
  const verdict = judge(bundle, {
    digest,
    trustedRoot: readTrustedRoot(JSON.stringify(sigstore.trustedRoot())),
    signers: [{ kind: 'identity', issuer, identity }],
    now: later(signedAt, 60),
  })
  expect(verdict).toMatchObject({ status: 'verified', signed_at: signedAt.toISOString() })
})
