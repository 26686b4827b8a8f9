import { constants, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { DeclaredSigner } from '@countersign/sdk/contract'
import { modelStatement, readTrustedRoot, rootDigest, signModel, verifyBundles } from '@countersign/sdk/integrity'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, type Keys, later, pemOf } from '../support/sigstore/keys.ts'
import { hexOf, model, signStatement } from '../support/sigstore/model-bundle.ts'
import { createPrivateSigstore, identity, issuer, repository } from '../support/sigstore/private-sigstore.ts'

const now = new Date()
const digest = rootDigest([{ digest: hexOf('{}') }, { digest: hexOf('weights') }])
const keySigner = ({ publicKey }: Keys): DeclaredSigner => ({
  kind: 'key',
  public_key: String(publicKey.export({ type: 'spki', format: 'pem' })),
})

const [ann, ben, cat, eve] = [ecKeys(), ecKeys(), ecKeys(), ecKeys()]
const signedBy = (keys: Keys, name = 'tiny') => ({ bundle: signModel({ ...model, name }, keys.privateKey), digest })
/** The same key with its point compressed (SEC 1 §2.3.3). */
const compressed = (keys: Keys) => {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' })
  const point = spki.subarray(-65)
  const short = Buffer.concat([Buffer.from([2 + ((point[64] ?? 0) & 1)]), point.subarray(1, 33)])
  // The bit string and the whole key are 32 bytes shorter.
  const head = Buffer.from(spki.subarray(0, -65))
  head[1] = (head[1] ?? 0) - 32
  head[head.length - 2] = (head.at(-2) ?? 0) - 32
  return { kind: 'key' as const, public_key: pemOf('PUBLIC KEY', Buffer.concat([head, short])) }
}

/** The same RSA key restricted to PSS: the same numbers with another algorithm. */
const asPss = ({ publicKey }: Keys) => {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const numbers = spki.subarray(spki.indexOf(Buffer.from('0500', 'hex')) + 2)
  const inner = Buffer.concat([Buffer.from('300b06092a864886f70d01010a', 'hex'), numbers])
  return pemOf('PUBLIC KEY', Buffer.concat([Buffer.from([0x30, 0x82, inner.length >> 8, inner.length & 0xff]), inner]))
}

const signedByPss = (keys: Keys, pem: string) => {
  const bundle = JSON.parse(signHinted(keys, pem))
  const { payload, payloadType } = bundle.dsseEnvelope
  const bytes = Buffer.from(payload, 'base64')
  const encoded = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes])
  const signature = sign('sha256', encoded, {
    key: keys.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 32,
  })
  bundle.dsseEnvelope.signatures[0].sig = signature.toString('base64')
  return { bundle: JSON.stringify(bundle), digest }
}

/** A bundle that names the key as encoded in `pem`. */
const signHinted = (keys: Keys, pem: string) => {
  const hint = hexOf(createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString())
  return JSON.stringify(signStatement(modelStatement(model), keys, { publicKey: { hint } }))
}

const all = [ann, ben, cat].map(keySigner)

const check = (
  bundles: { bundle: string; digest: string | null }[],
  threshold: number,
  signers = all,
  trustedRoot = readTrustedRoot(),
) => verifyBundles({ bundles, signers, threshold, trustedRoot, now })

const forged = () => {
  const bundle = JSON.parse(signedBy(cat).bundle)
  bundle.dsseEnvelope.signatures[0].sig = JSON.parse(signedBy(eve).bundle).dsseEnvelope.signatures[0].sig
  return { bundle: JSON.stringify(bundle), digest }
}

describe('a threshold of signers', () => {
  it('is met by as many different signers, for any signers', () => {
    expect(check([signedBy(ann), signedBy(cat)], 2)).toMatchObject({ status: 'verified', signed_by: [all[0], all[2]] })
    expect(check([signedBy(cat), signedBy(ben), signedBy(ann)], 3).status).toBe('verified')
    expect(check([signedBy(ann)], 1).status).toBe('verified')
  })

  it('counts a key once, with its point compressed or uncompressed', () => {
    const short = compressed(ann)
    const signers = [keySigner(ann), short]
    const again = { ...signedBy(ann), bundle: signHinted(ann, short.public_key) }
    expect(check([again], 1, [short]).status).toBe('verified')
    expect(check([signedBy(ann), again], 2, signers).status).toBe('invalid')
  })

  it('counts an RSA key once, under either of its two algorithms', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const public_key = asPss(rsa)
    const plain = keySigner(rsa)
    const pss: DeclaredSigner = { kind: 'key', public_key }
    const byPss = signedByPss(rsa, public_key)
    expect(check([byPss], 1, [pss]).status).toBe('verified')
    expect(check([signedBy(rsa), byPss], 2, [plain, pss]).status).toBe('invalid')
    expect(check([signedBy(ann), byPss], 2, [keySigner(ann), plain, pss]).status).toBe('verified')
    const { root, chain } = await createChain({ leafKeys: rsa, from: later(now, -3_600) })
    const certificates = chain.map((certificate) => pemOf('CERTIFICATE', certificate)).join('')
    const certified = { bundle: signModel(model, rsa.privateKey, { certificates }), digest }
    const anchor: DeclaredSigner = { kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', root) }
    expect(check([certified], 1, [anchor]).status).toBe('verified')
    expect(check([certified, byPss], 2, [anchor, pss]).status).toBe('invalid')
  })

  it('is met beside a bundle that does not count', () => {
    for (const other of [
      signedBy(eve),
      forged(),
      { bundle: 'none', digest },
      { ...signedBy(cat), digest: `sha256:${'0'.repeat(64)}` },
    ])
      expect(check([other, signedBy(ann), signedBy(ben)], 2)).toMatchObject({
        status: 'verified',
        signed_by: [all[0], all[1]],
      })
  })

  it.each([
    { name: 'one signer twice', bundles: () => [signedBy(ann), signedBy(ann, 'again')] },
    { name: 'the same bundle twice', bundles: () => Array(2).fill(signedBy(ann)) },
    { name: 'an undeclared signer', bundles: () => [signedBy(ann), signedBy(eve)] },
    { name: 'a forged signature', bundles: () => [signedBy(ann), forged()] },
    {
      name: 'a signature for other files',
      bundles: () => [signedBy(ann), { ...signedBy(ben), digest: `sha256:${'0'.repeat(64)}` }],
    },
    { name: 'nothing', bundles: () => [] },
  ])('is not met by $name', ({ bundles }) => {
    expect(check(bundles(), 2).status).toBe('invalid')
  })

  it('counts a signer declared twice once', () => {
    const twice = [keySigner(ann), { ...keySigner(ann) }, keySigner(ben)]
    expect(check([signedBy(ann), signedBy(ann, 'again')], 2, twice).status).toBe('invalid')
    expect(check([signedBy(ann), signedBy(ben)], 2, twice).status).toBe('verified')
  })

  it('is undecided if a bundle that cannot be checked might make the difference', () => {
    const unread = { state: 'invalid', detail: 'Not a trusted root', date: null, material: null } as const
    const signers: DeclaredSigner[] = [keySigner(ann), { kind: 'identity', issuer, identity }]
    expect(check([signedBy(ann), keyless], 2, signers, unread).status).toBe('error')
    expect(check([signedBy(eve), keyless], 2, signers, unread).status).toBe('invalid')
  })

  it.each([0, -1, 1.5, Number.NaN])('of %d is rejected', (threshold) => {
    expect(() => check([signedBy(ann)], threshold)).toThrow(RangeError)
  })

  let keyless: { bundle: string; digest: string }
  let second: typeof keyless
  let other: typeof keyless
  let trustedRoot: ReturnType<typeof readTrustedRoot>
  beforeAll(async () => {
    const sigstore = await createPrivateSigstore({ at: later(now, -60) })
    trustedRoot = readTrustedRoot(JSON.stringify(sigstore.trustedRoot()))
    const { modelStatement } = await import('@countersign/sdk/integrity')
    const make = async (name: string) => {
      const bundle = await sigstore.bundle({
        kind: 'dsse/0.0.1',
        statement: modelStatement(model),
        certificate: { names: [{ type: 'url', value: name }] },
      })
      return { bundle: JSON.stringify(bundle), digest }
    }
    ;[keyless, second, other] = await Promise.all([
      make(identity),
      make(identity),
      make(identity.replace('heads/main', 'tags/v2')),
    ])
  })

  it('counts a workflow once, under any of its declared names', () => {
    const byName: DeclaredSigner = { kind: 'identity', issuer, identity }
    const byRepository: DeclaredSigner = { kind: 'repository', issuer, repository }
    // One workflow that two declarations allow, twice.
    expect(check([keyless, second], 2, [byName, byRepository], trustedRoot).status).toBe('invalid')
    // Two workflows that one declaration allows.
    expect(check([keyless, other], 2, [byRepository], trustedRoot).status).toBe('invalid')
    expect(check([keyless, other], 2, [byRepository, { ...byRepository }], trustedRoot).status).toBe('invalid')
    // They count as two if each declaration is assigned to the signer that needs it.
    for (const signers of [
      [byName, byRepository],
      [byRepository, byName],
    ])
      expect(check([keyless, other], 2, signers, trustedRoot).status).toBe('verified')
    expect(check([keyless, signedBy(ann)], 2, [byName, keySigner(ann)], trustedRoot).status).toBe('verified')
  })

  it('counts a key once, even if it also signs with a certificate', async () => {
    const { root, chain } = await createChain({ leafKeys: ann, from: later(now, -3_600) })
    const certificates = chain.map((certificate) => pemOf('CERTIFICATE', certificate)).join('')
    const certified = { bundle: signModel(model, ann.privateKey, { certificates }), digest }
    const anchor: DeclaredSigner = { kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', root) }
    expect(check([certified, signedBy(ann)], 2, [anchor, keySigner(ann)]).status).toBe('invalid')
    expect(check([certified, signedBy(ben)], 2, [anchor, keySigner(ben)]).status).toBe('verified')
  })
})
