import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BundleVerdict, type DeclaredSigner } from '@countersign/sdk/contract'
import {
  readModelSigning,
  readTrustedRoot,
  signModel,
  type TrustedRootSource,
  verifyBundle,
} from '@countersign/sdk/integrity'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createChecker } from '../../server/src/bundles/checker.ts'
import { runsOf, sampled } from '../support/full.ts'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, later, pemOf } from '../support/sigstore/keys.ts'
import { model, signByCertificate } from '../support/sigstore/model-bundle.ts'
import {
  createPrivateSigstore,
  identity,
  issuer,
  type PrivateSigstore,
  repository,
} from '../support/sigstore/private-sigstore.ts'
import { digest, ways } from '../support/sigstore/signed.ts'

const fixtures = join(import.meta.dirname, '../fixtures/sigstore-cases/files')
const keys = ecKeys()
const publicRoot = readTrustedRoot()
const resource = { name: 'config.json', algorithm: 'sha256', digest: 'a'.repeat(64) }

let sigstore: PrivateSigstore
let trustedRoot: TrustedRootSource
let signers: DeclaredSigner[]
let seeds: unknown[]

beforeAll(async () => {
  sigstore = await createPrivateSigstore()
  trustedRoot = readTrustedRoot(JSON.stringify(sigstore.trustedRoot()))
  const { root, chain } = await createChain({ leafKeys: keys, from: later(sigstore.start, -60) })
  signers = [
    { kind: 'identity', issuer, identity },
    { kind: 'key', public_key: String(keys.publicKey.export({ type: 'spki', format: 'pem' })) },
    { kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', root) },
  ]
  seeds = [
    ...(await Promise.all(ways.map(({ options }) => sigstore.bundle(options)))),
    signByCertificate(keys, chain),
    JSON.parse(signModel(model, keys.privateKey)),
    JSON.parse(
      readFileSync(join(fixtures, 'sigstore-conformance/managed-key-and-trusted-root/bundle.sigstore.json'), 'utf8'),
    ),
    JSON.parse(readFileSync(join(fixtures, 'sigstore-js/bundleV02-dsse.sigstore'), 'utf8')),
  ]
})

const judge = (bundle: Uint8Array | string, declared: readonly DeclaredSigner[] = signers, root = trustedRoot) =>
  verifyBundle({ bundle, trustedRoot: root, digest, signers: declared, now: sigstore.signedAt })

it('quotes what a bundle calls itself as JSON in ASCII, whole', () => {
  const named = 'v9” was proven by Northwind. '
  const bundle = JSON.parse(signModel(model, keys.privateKey))
  const envelope = { ...bundle.dsseEnvelope, payloadType: named }
  for (const [forged, says] of [
    [{ mediaType: named.repeat(9) }, 'Media type "v9'],
    [{ ...bundle, dsseEnvelope: envelope }, 'Signed content of type "v9'],
  ] as const) {
    const { message } = judge(JSON.stringify(forged))
    expect(message).toContain(says)
    expect(message).toMatch(/^[^"]*"v9\\u201d [ -~]{1,150}"[^"]*$/)
  }
})

/** Values of every kind, to replace others. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e300,
    '',
    '0',
    '-1',
    '9'.repeat(400),
    'AAAA',
    '\u0000',
    [],
    {},
    [[]],
    { length: 5 },
    { __proto__: null },
  ),
  fc.string({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64')),
)

type Step = { at: number; how: 'replace' | 'remove' | 'repeat' | 'flip' | 'cut'; with: unknown; salt: number }
const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'repeat', 'flip', 'flip', 'cut'),
  with: junk,
  salt: fc.nat(),
})

type Place = { parent: Record<string, unknown>; name: string }
const placesIn = (value: unknown): Place[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((name) => {
        const parent = value as Record<string, unknown>
        return [{ parent, name }, ...placesIn(parent[name])]
      })
    : []

/** One change somewhere in a bundle; base64 is changed in its decoded bytes, so that the content breaks as well. */
const change = (bundle: unknown, { at, how, with: other, salt }: Step) => {
  const places = placesIn(bundle)
  const place = places[at % Math.max(places.length, 1)]
  if (!place) return
  const { parent, name } = place
  const value = parent[name]
  // Copied, because the next change may modify it.
  if (how === 'replace') parent[name] = structuredClone(other)
  else if (how === 'remove') delete parent[name]
  else if (how === 'repeat' && Array.isArray(value)) parent[name] = Array(salt % 40).fill(value[0])
  else if (typeof value === 'string' && value !== '')
    parent[name] = how === 'cut' ? value.slice(0, salt % value.length) : flipped(value, salt)
}

const flipped = (text: string, salt: number): string => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < 8 || !/^[A-Za-z0-9+/=]+$/.test(text))
    return `${text.slice(0, salt % text.length)}!${text.slice((salt % text.length) + 1)}`
  bytes[salt % bytes.length] = (bytes[salt % bytes.length] ?? 0) ^ (1 << (salt % 8))
  return bytes.toString('base64')
}

const broken = fc.record({ seed: fc.nat(), steps: fc.array(step, { minLength: 1, maxLength: 4 }) })
const breakOne = ({ seed, steps }: { seed: number; steps: Step[] }): unknown => {
  const bundle = structuredClone(seeds[seed % seeds.length])
  for (const one of steps) change(bundle, one)
  return bundle
}

/** Any input gives a consistent verdict of the contract. */
const expectVerdict = (bundle: Uint8Array | string) => {
  const verdict = judge(bundle)
  if (!BundleVerdict.safeParse(verdict).success) throw new Error(`Not a verdict: ${JSON.stringify(verdict)}`)
  if ((verdict.status === 'verified') !== (verdict.reason === null)) throw new Error('A status without its reason')
  if (verdict.status === 'verified' && verdict.checks.some(({ result }) => result === 'failed'))
    throw new Error('Verified with a failed check')
}

describe('hostile bundles', () => {
  it('with parts changed, removed, repeated and flipped get a verdict', { timeout: 90_000 }, () => {
    fc.assert(
      fc.property(broken, (given) => expectVerdict(JSON.stringify(breakOne(given)))),
      { numRuns: runsOf(3_000) },
    )
  })

  it('of raw bytes, of text and of any JSON get a verdict', { timeout: 90_000 }, () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ maxLength: 300 }),
      fc.json({ maxDepth: 6 }),
    )
    fc.assert(fc.property(anything, expectVerdict), { numRuns: runsOf(76_000) })
  })

  it('are read as models without throwing', { timeout: 90_000 }, () => {
    const states = new Set<string>()
    fc.assert(
      fc.property(broken, (given) => {
        states.add(readModelSigning(JSON.stringify(breakOne(given))).state)
      }),
      { numRuns: runsOf(20_000) },
    )
    expect([...states].sort()).toEqual(['invalid', 'read'])
  })

  it('also get a verdict with a broken trusted root', { timeout: 90_000 }, () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 3 })
    const states = new Set<string>()
    fc.assert(
      fc.property(steps, (given) => {
        const root = sigstore.trustedRoot()
        for (const one of given) change(root, one)
        states.add(readTrustedRoot(JSON.stringify(root)).state)
      }),
      { numRuns: runsOf(1_000) },
    )
    expect([...states].sort()).toEqual(['invalid', 'ready'])
  })

  it('that are large, deep or full of numbers are decided quickly', () => {
    const wide = {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { tlogEntries: Array(60_000).fill({}) },
    }
    for (const bundle of [
      '['.repeat(4_000_000),
      `{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}`,
      JSON.stringify(wide),
      '9'.repeat(4_000_000),
    ]) {
      expect(judge(bundle).status).toBe('invalid')
    }
  })

  it.each(sampled(['resources', 'ignore_paths'], 2))(
    'with a million wrong %s report the first, in the memory of one small thread',
    async (place) => {
      const wrong = `[${'0,'.repeat(1_700_000)}0]`
      const [resources, ignored] = place === 'resources' ? [wrong, '[]'] : [`[${JSON.stringify(resource)}]`, wrong]
      const payload = `{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://model_signing/signature/v1.0","subject":[{"digest":{"sha256":"${'a'.repeat(64)}"}}],"predicate":{"resources":${resources},"serialization":{"method":"files","hash_type":"sha256","ignore_paths":${ignored}}}}`
      const bundle = JSON.parse(signModel(model, keys.privateKey))
      bundle.dsseEnvelope.payload = Buffer.from(payload).toString('base64')
      // The thread comes last on a busy machine, and this is about its memory.
      const checker = createChecker({ timeoutMs: 60_000 })
      onTestFinished(checker.close)
      const check = { bundle: Buffer.from(JSON.stringify(bundle)), digest, signers, now: Date.now() }
      const verdict = await checker.check({ id: 'built-in', json: undefined }, check)
      expect(verdict).toMatchObject({ reason: 'statement_invalid', message: expect.stringContaining(`${place}.0`) })
    },
  )
})

describe('a signature counts only for a declared signer', () => {
  it('and never if none was declared', () => {
    for (const seed of seeds) {
      for (const root of [trustedRoot, publicRoot])
        expect(judge(JSON.stringify(seed), [], root).status).not.toBe('verified')
    }
    fc.assert(
      fc.property(broken, (given) => judge(JSON.stringify(breakOne(given)), []).status !== 'verified'),
      { numRuns: runsOf(150) },
    )
  })

  it('and never for a part of the identity, or for an expression that it matches', () => {
    const bundle = JSON.stringify(seeds[0])
    const verified = (signer: DeclaredSigner) => judge(bundle, [signer]).status === 'verified'
    expect(verified({ kind: 'identity', issuer, identity })).toBe(true)
    const cut = fc
      .tuple(fc.nat(identity.length), fc.nat(identity.length))
      .map(([a, b]) => identity.slice(Math.min(a, b), Math.max(a, b)))
    const spaced = fc.constantFrom(
      ` ${identity}`,
      `${identity} `,
      `${identity}\n`,
      identity.toUpperCase(),
      `${identity}/`,
    )
    const loose = fc
      .nat(identity.length - 1)
      .chain((at) =>
        fc
          .constantFrom('.', '.*', '[^]', '?', '*')
          .map((with_) => identity.slice(0, at) + with_ + identity.slice(at + 1)),
      )
    const expression = fc.constantFrom(
      '.',
      '.*',
      '^',
      '$',
      '',
      identity.replaceAll('.', '\\.'),
      `^${identity}$`,
      `(${identity}|x)`,
    )
    const near = fc.oneof(cut, spaced, loose, expression).filter((text) => text !== identity)
    fc.assert(
      fc.property(near, (text) => !verified({ kind: 'identity', issuer, identity: text })),
      { numRuns: runsOf(150) },
    )
    const nearRepository = fc.nat(repository.length - 1).map((end) => repository.slice(0, end))
    fc.assert(
      fc.property(nearRepository, (text) => !verified({ kind: 'repository', issuer, repository: text })),
      { numRuns: runsOf(40) },
    )
  })
})
