import { type BundleReason, bundleReasons, type DeclaredSigner } from '@countersign/sdk/contract'
import { type BundleInput, readTrustedRoot, verifyBundle } from '@countersign/sdk/integrity'
import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../support/full.ts'
import { ExtendedKeyUsage, Extension, rawName } from '../support/sigstore/authority.ts'
import { base64, ecKeys, later, sha256 } from '../support/sigstore/keys.ts'
import {
  type BundleJson,
  type BundleOptions,
  createPrivateSigstore,
  identity,
  issuer,
  type PrivateSigstore,
  repository,
  workflow,
} from '../support/sigstore/private-sigstore.ts'
import { artifact, digest, hexDigest, statement, ways } from '../support/sigstore/signed.ts'

interface Worlds {
  ours: PrivateSigstore
  /** Another Sigstore, which must not be trusted. */
  theirs: PrivateSigstore
}
type Root = ReturnType<PrivateSigstore['trustedRoot']>

interface Fault {
  fault: string
  reason: BundleReason
  /** The ways of signing that it applies to; by default all. */
  where?: (options: BundleOptions) => boolean
  options?: (worlds: Worlds, options: BundleOptions) => Partial<BundleOptions> | Promise<Partial<BundleOptions>>
  edit?: (bundle: BundleJson, worlds: Worlds) => void
  root?: (root: Root, worlds: Worlds) => void
  input?: Partial<BundleInput>
  now?: (worlds: Worlds) => Date
}

/** A full run combines every fault with every way of signing; otherwise each fault is tried in one of its ways with each log. */
const isTried = ({ where }: Fault, index: number, options: BundleOptions, log: Log): boolean => {
  const fitting = ways.filter((way) => where?.(way.options) ?? true)
  const place = fitting.findIndex((way) => way.options === options)
  if (place === -1 || isFull) return place !== -1
  return (index + (log === 'ecdsa' ? 0 : Math.ceil(fitting.length / 2))) % fitting.length === place
}

const isEnvelope = ({ statement }: BundleOptions) => statement !== undefined
const isMessage = (options: BundleOptions) => !isEnvelope(options)
const isV2 = ({ kind }: BundleOptions) => kind === 'hashedrekord/0.0.2' || kind === 'dsse/0.0.2'
const isStamped = (options: BundleOptions) => options.stamped === true || isV2(options)
const hasPromise = (options: BundleOptions) => !isV2(options) && options.entry?.promise !== false

const declared: DeclaredSigner = { kind: 'identity', issuer, identity }
const url = (value: string) => ({ type: 'url' as const, value })
const entryOf = ({ verificationMaterial }: BundleJson) => {
  const [entry] = verificationMaterial.tlogEntries
  if (!entry) throw new Error('No entry')
  return entry
}
const otherDigest = `sha256:${'0'.repeat(64)}`

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/**
 * Each has one fault. Removing any single check of `sdk/src/integrity` fails a test here, in `model-signing.test.ts`,
 * in `cases.test.ts` or, for DER, in the test beside it. This was tried for each of these, one at a time:
 *
 * - read-bundle: bytes, depth, media type, exactly one content, exactly one key, items, bytes of an item, kind of
 * entry, indexes and times, size of the tree, hashes, presence and length of the checkpoint, the fields of each
 * version;
 * - statement and model-signing: the digest's algorithm and length, payload type, depth, type, a missing digest, a
 * single whole file, root digest, length of digests, repeated names, names outside the folder, the lone dot, no files;
 * - certificate and its names: repeated or critical extensions, IA5, exactly one name, the workflow's repository, code
 * signing;
 * - log and time: thresholds, times in the future, missing or unsigned times, a log's period, the entry's signature,
 * digest, certificate and key, and the proven index;
 * - signature: over a digest and over a statement, prehashing, both values of s, the hashes of each curve, hints, other
 * kinds of keys;
 * - chain: purpose, an authority as signer, intermediates that are not authorities, critical extensions, path length,
 * names, signatures, periods;
 * - trusted root: size, emptiness, start times; signers: issuer, identity, repository, workflow, none declared; the
 * digest;
 * - explain: each reason.
 *
 * One guard is unreachable because the fields of each version are checked first: a chain without certificates.
 */
const faults: readonly Fault[] = [
  // The bundle.
  {
    fault: 'an unknown media type',
    reason: 'bundle_unsupported',
    edit: (bundle) => {
      bundle.mediaType = 'application/vnd.dev.sigstore.bundle.v9.9+json'
    },
  },
  {
    fault: 'no media type',
    reason: 'bundle_unsupported',
    edit: (bundle) => {
      bundle.mediaType = ''
    },
  },
  {
    fault: 'a media type followed by something',
    reason: 'bundle_unsupported',
    edit: (bundle) => {
      bundle.mediaType += '; version=0.1'
    },
  },
  {
    fault: 'more than 5 MB',
    reason: 'bundle_too_large',
    edit: (bundle) => Object.assign(bundle, { note: 'x'.repeat(5_000_000) }),
  },
  { fault: 'deep nesting', reason: 'bundle_unreadable', edit: (bundle) => Object.assign(bundle, { note: nested(40) }) },
  {
    fault: 'two contents',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.dsseEnvelope ??= { payload: 'e30=', payloadType: 'x', signatures: [{ sig: 'AA==', keyid: '' }] }
      bundle.messageSignature ??= {
        messageDigest: { algorithm: 'SHA2_256', digest: base64(sha256(artifact)) },
        signature: 'AA==',
      }
    },
  },
  {
    fault: 'a key beside the certificate',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.verificationMaterial.publicKey = { hint: 'x' }
    },
  },
  {
    fault: '33 log entries',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.verificationMaterial.tlogEntries = Array(33).fill(entryOf(bundle))
    },
  },
  {
    fault: '33 timestamps',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.verificationMaterial.timestampVerificationData.rfc3161Timestamps = Array(33).fill({
        signedTimestamp: 'AAAA',
      })
    },
  },
  {
    fault: 'a timestamp of 20 kB',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.verificationMaterial.timestampVerificationData.rfc3161Timestamps.push({
        signedTimestamp: base64(Buffer.alloc(20_000)),
      })
    },
  },
  {
    fault: 'timestamps of 160 kB together',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      bundle.verificationMaterial.timestampVerificationData.rfc3161Timestamps = Array(10).fill({
        signedTimestamp: base64(Buffer.alloc(16_000)),
      })
    },
  },
  {
    fault: 'a negative log index',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      entryOf(bundle).logIndex = '-1'
    },
  },
  {
    fault: 'a negative index in the proof',
    reason: 'bundle_unreadable',
    edit: (bundle) => Object.assign(entryOf(bundle).inclusionProof ?? {}, { logIndex: '-1' }),
  },
  {
    fault: 'a tree size that is not a number',
    reason: 'bundle_unreadable',
    edit: (bundle) => Object.assign(entryOf(bundle).inclusionProof ?? {}, { treeSize: '8e9' }),
  },
  {
    fault: 'a time that is not a number',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      entryOf(bundle).integratedTime = '1e3'
    },
  },
  {
    fault: 'a proof of 65 hashes',
    reason: 'bundle_unreadable',
    edit: (bundle) => Object.assign(entryOf(bundle).inclusionProof ?? {}, { hashes: Array(65).fill('AAAA') }),
  },
  {
    fault: 'a checkpoint of 20 kB',
    reason: 'bundle_unreadable',
    edit: (bundle) =>
      Object.assign(entryOf(bundle).inclusionProof ?? {}, { checkpoint: { envelope: 'x'.repeat(20_000) } }),
  },
  {
    fault: 'an entry of an unknown kind',
    reason: 'bundle_unsupported',
    edit: (bundle) => {
      entryOf(bundle).kindVersion = { kind: 'rfc3161', version: '0.0.1' }
    },
  },
  {
    fault: 'no proof',
    reason: 'bundle_unreadable',
    edit: (bundle) => {
      delete entryOf(bundle).inclusionProof
    },
  },
  {
    fault: 'a proof without checkpoint in v0.1',
    reason: 'bundle_unsupported',
    where: hasPromise,
    edit: (bundle) => {
      bundle.mediaType = 'application/vnd.dev.sigstore.bundle+json;version=0.1'
      delete entryOf(bundle).inclusionProof?.checkpoint
    },
  },
  {
    fault: 'two signatures in the envelope',
    reason: 'bundle_unreadable',
    where: isEnvelope,
    edit: ({ dsseEnvelope }) => {
      dsseEnvelope?.signatures.push({ sig: 'AAAA', keyid: '' })
    },
  },
  {
    fault: 'a message digest that is not SHA-2',
    reason: 'bundle_unsupported',
    where: isMessage,
    edit: ({ messageSignature }) => {
      if (messageSignature) messageSignature.messageDigest.algorithm = 'SHA3_256'
    },
  },
  {
    fault: 'a message digest cut short',
    reason: 'bundle_unsupported',
    where: isMessage,
    edit: ({ messageSignature }) => {
      if (messageSignature) messageSignature.messageDigest.digest = base64(sha256(artifact).subarray(0, 20))
    },
  },

  // The signed content.
  {
    fault: 'another payload type',
    reason: 'bundle_unsupported',
    where: isEnvelope,
    options: () => ({ payloadType: 'application/json' }),
  },
  {
    fault: 'a payload that is not JSON',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: 'model' }),
  },
  {
    fault: 'a statement that is a list',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: [statement] }),
  },
  {
    fault: 'a statement of another type',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, _type: 'https://in-toto.io/Statement/v9' } }),
  },
  {
    fault: 'a statement without subjects',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, subject: [] } }),
  },
  {
    fault: 'a statement nested deeply',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, predicate: nested(80) } }),
  },
  {
    fault: 'a digest of no known kind',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, subject: [{ digest: { md5: hexDigest } }] } }),
  },
  {
    fault: 'a digest that is not hex',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, subject: [{ digest: { sha256: 'sha256 of the model' } }] } }),
  },
  {
    fault: 'a digest longer than its kind, which every answer would repeat',
    reason: 'statement_invalid',
    where: isEnvelope,
    options: () => ({ statement: { ...statement, subject: [{ digest: { sha256: hexDigest.repeat(2) } }] } }),
  },

  // Time.
  {
    fault: 'nothing that proves the time',
    reason: 'time_missing',
    options: () => ({ stamped: false, entry: { promise: false } }),
  },
  {
    fault: 'a timestamp over another signature',
    reason: 'time_invalid',
    where: isStamped,
    options: () => ({ stampOver: Buffer.from('another signature') }),
  },
  {
    fault: 'a timestamp of another authority',
    reason: 'time_invalid',
    where: isStamped,
    options: ({ theirs }) => ({ stampBy: (over) => theirs.stamp(over) }),
  },
  {
    fault: 'a timestamp that is not one',
    reason: 'time_invalid',
    where: isStamped,
    options: () => ({ stampBy: async () => Buffer.from('3003020100', 'hex') }),
  },
  {
    fault: 'bytes for a timestamp',
    reason: 'time_invalid',
    where: isStamped,
    options: () => ({ stampBy: async () => Buffer.from('now') }),
  },
  {
    fault: 'one timestamp twice',
    reason: 'time_invalid',
    where: isStamped,
    edit: ({
      verificationMaterial: {
        timestampVerificationData: { rfc3161Timestamps },
      },
    }) => {
      rfc3161Timestamps.push(...rfc3161Timestamps)
    },
  },
  {
    fault: 'a time beyond all calendars',
    reason: 'time_invalid',
    where: hasPromise,
    edit: (bundle) => {
      entryOf(bundle).integratedTime = '999999999999999'
    },
  },
  { fault: 'a time in the future', reason: 'time_in_future', now: ({ ours }) => later(ours.start, -600) },
  {
    fault: 'a timestamp authority that the trusted root ended',
    reason: 'trusted_root_expired',
    where: isStamped,
    root: (root, { ours }) => {
      for (const { validFor } of root.timestampAuthorities) validFor.end = ours.start.toISOString()
    },
  },

  // The certificate.
  {
    fault: 'bytes for a certificate',
    reason: 'certificate_unreadable',
    edit: ({ verificationMaterial }) => {
      verificationMaterial.certificate = { rawBytes: 'AAAA' }
    },
  },
  {
    fault: 'a certificate of another authority',
    reason: 'certificate_untrusted',
    root: (root, { theirs }) => {
      root.certificateAuthorities = theirs.trustedRoot().certificateAuthorities
    },
  },
  {
    fault: 'a certificate that had expired',
    reason: 'certificate_expired',
    options: ({ ours }) => ({ certificate: { from: later(ours.start, -3_000) } }),
  },
  {
    fault: 'a certificate that had not begun',
    reason: 'certificate_expired',
    options: ({ ours }) => ({ certificate: { from: later(ours.start, 60) } }),
  },
  {
    fault: 'a certificate that was not logged',
    reason: 'certificate_not_logged',
    options: () => ({ certificate: { logged: 'no' } }),
  },
  {
    fault: 'a certificate logged elsewhere',
    reason: 'certificate_not_logged',
    options: () => ({ certificate: { logged: 'elsewhere' } }),
  },
  {
    fault: 'a certificate for servers',
    reason: 'certificate_not_for_signing',
    options: () => ({ certificate: { usages: [ExtendedKeyUsage.serverAuth] } }),
  },
  {
    fault: 'a certificate without a name',
    reason: 'certificate_unreadable',
    options: () => ({ certificate: { names: [] } }),
  },
  {
    fault: 'a certificate with two names',
    reason: 'certificate_unreadable',
    options: () => ({ certificate: { names: [url(identity), url('https://github.com/acme/other')] } }),
  },
  {
    fault: 'a name that is ours but for one bit',
    reason: 'certificate_unreadable',
    options: () => ({
      certificate: {
        names: [],
        extra: [rawName(Buffer.from(identity).map((byte, at) => (at === 30 ? byte | 0x80 : byte)))],
      },
    }),
  },
  {
    fault: 'an extension twice',
    reason: 'certificate_unreadable',
    options: () => ({
      certificate: { extra: [new Extension('1.3.6.1.4.1.57264.1.8', false, new Uint8Array([0x0c, 0x01, 0x78]))] },
    }),
  },
  {
    fault: 'an unknown critical extension',
    reason: 'certificate_unreadable',
    options: () => ({ certificate: { extra: [new Extension('2.5.29.30', true, new Uint8Array([0x30, 0x00]))] } }),
  },
  {
    fault: 'an issuer that is not text',
    reason: 'certificate_unreadable',
    options: () => ({
      certificate: {
        issuer: undefined,
        extra: [new Extension('1.3.6.1.4.1.57264.1.8', false, new Uint8Array([0x02, 0x01, 0x78]))],
      },
    }),
  },
  {
    fault: 'a certificate authority that the trusted root ended',
    reason: 'trusted_root_expired',
    root: (root, { ours }) => {
      for (const { validFor } of root.certificateAuthorities) validFor.end = ours.start.toISOString()
    },
  },
  {
    fault: 'a certificate authority that the trusted root began later',
    reason: 'certificate_untrusted',
    root: (root, { ours }) => {
      for (const { validFor } of root.certificateAuthorities) validFor.start = later(ours.start, 60).toISOString()
    },
  },

  // The transparency log.
  {
    fault: 'an entry that records a statement',
    reason: 'log_entry_mismatch',
    where: (options) => isMessage(options) && !isV2(options),
    options: () => ({ kind: 'dsse/0.0.1', records: { digest: Buffer.alloc(32) } }),
  },
  {
    fault: 'no log entry',
    reason: 'log_entry_missing',
    where: isStamped,
    edit: ({ verificationMaterial }) => {
      verificationMaterial.tlogEntries = []
    },
  },
  {
    fault: 'an unknown log',
    reason: 'log_unknown',
    root: (root, { theirs }) => {
      root.tlogs = theirs.trustedRoot().tlogs
    },
  },
  {
    fault: 'a proof with another hash',
    reason: 'log_proof_invalid',
    options: (_, { entry }) => ({ entry: { ...entry, forgedProof: true } }),
  },
  {
    fault: 'a checkpoint that the log did not sign',
    reason: 'log_proof_invalid',
    options: (_, { entry }) => ({ entry: { ...entry, forgedCheckpoint: true } }),
  },
  {
    fault: 'a promise that the log did not sign',
    reason: 'log_proof_invalid',
    where: hasPromise,
    options: (_, { entry }) => ({ entry: { ...entry, forgedPromise: true } }),
  },
  {
    fault: 'another place in the log',
    reason: 'log_proof_invalid',
    where: hasPromise,
    edit: (bundle) => {
      entryOf(bundle).logIndex = '1'
    },
  },
  {
    fault: 'one entry twice',
    reason: 'log_proof_invalid',
    edit: ({ verificationMaterial }) => {
      verificationMaterial.tlogEntries.push(...verificationMaterial.tlogEntries)
    },
    where: (options) => !hasPromise(options),
  },
  {
    fault: 'a log that the trusted root ended',
    reason: 'trusted_root_expired',
    root: (root, { ours }) => {
      for (const { publicKey } of root.tlogs) publicKey.validFor.end = ours.start.toISOString()
    },
  },
  {
    fault: 'a log that the trusted root began later',
    reason: 'log_proof_invalid',
    root: (root, { ours }) => {
      for (const { publicKey } of root.tlogs) publicKey.validFor.start = later(ours.start, 60).toISOString()
    },
  },
  {
    fault: 'an entry for another signature',
    reason: 'log_entry_mismatch',
    options: () => ({ records: { signature: Buffer.from('another signature') } }),
  },
  {
    fault: 'an entry for another digest',
    reason: 'log_entry_mismatch',
    options: () => ({ records: { digest: Buffer.alloc(32), payload: Buffer.from('another payload') } }),
  },
  {
    fault: 'an entry for another certificate',
    reason: 'log_entry_mismatch',
    options: async ({ ours }) => ({
      records: {
        key: {
          certificate: await ours.fulcio.issue({ keys: ecKeys(), from: ours.start, names: [url(identity)], issuer }),
        },
      },
    }),
  },
  {
    fault: 'an entry for the key under another name',
    reason: 'log_entry_mismatch',
    options: async ({ ours }) => {
      const keys = ecKeys()
      const certificate = await ours.fulcio.issue({
        keys,
        from: ours.start,
        names: [url('https://github.com/acme/other')],
        issuer,
      })
      return { keys, records: { key: { certificate } } }
    },
  },
  {
    fault: 'an entry for a bare key',
    reason: 'log_entry_mismatch',
    options: () => ({ records: { key: { publicKey: ecKeys().publicKey.export({ type: 'spki', format: 'der' }) } } }),
  },
  {
    fault: 'an entry without a key',
    reason: 'log_entry_mismatch',
    options: () => ({ records: { key: { publicKey: Buffer.from('no key') } } }),
  },
  {
    fault: 'an entry that says it is of another kind',
    reason: 'log_entry_mismatch',
    options: (_, { entry }) => ({
      entry: {
        ...entry,
        editBody: (body) => {
          body.kind = 'rekord'
        },
      },
    }),
  },

  // The signature.
  {
    fault: 'a signature over other bytes, which the log recorded',
    reason: 'signature_invalid',
    options: () => ({ signs: Buffer.from('other bytes') }),
  },

  // The provider's declarations.
  { fault: 'another digest', reason: 'digest_mismatch', input: { digest: otherDigest } },
  { fault: 'no digest', reason: 'digest_missing', input: { digest: null } },
  { fault: 'no signer', reason: 'signer_not_declared', input: { signers: [] } },
  {
    fault: 'the beginning of the identity',
    reason: 'signer_mismatch',
    input: { signers: [{ ...declared, identity: 'https://github.com/acme/' }] },
  },
  {
    fault: 'an expression that the identity would match',
    reason: 'signer_mismatch',
    input: { signers: [{ ...declared, identity: '.*' }] },
  },
  {
    fault: 'another issuer',
    reason: 'signer_mismatch',
    input: { signers: [{ ...declared, issuer: 'https://accounts.acme.example' }] },
  },
  {
    fault: 'a repository whose name is longer',
    reason: 'signer_mismatch',
    input: { signers: [{ kind: 'repository', issuer, repository: 'https://github.com/acme/model' }] },
  },
  {
    fault: 'the repository by another issuer',
    reason: 'signer_mismatch',
    input: { signers: [{ kind: 'repository', issuer: 'https://accounts.acme.example', repository }] },
  },
  {
    fault: 'another workflow of the repository',
    reason: 'signer_mismatch',
    input: { signers: [{ kind: 'repository', issuer, repository, workflow: '.github/workflows/test.yml' }] },
  },
  {
    fault: 'the workflow of another repository',
    reason: 'signer_mismatch',
    options: () => ({
      certificate: { workflow: 'https://github.com/else/models/.github/workflows/release.yml@refs/heads/main' },
    }),
    input: { signers: [{ kind: 'repository', issuer, repository, workflow }] },
  },
  {
    fault: 'a workflow whose file name begins like the declared one',
    reason: 'signer_mismatch',
    options: () => ({ certificate: { workflow: `${repository}/${workflow}@other.yml@refs/heads/main` } }),
    input: { signers: [{ kind: 'repository', issuer, repository, workflow }] },
  },
  {
    fault: 'a workflow and a ref that can be read in two ways',
    reason: 'signer_mismatch',
    options: () => ({ certificate: { workflow: `${repository}/${workflow}@refs/other.yml@refs/heads/main` } }),
    input: { signers: [{ kind: 'repository', issuer, repository, workflow }] },
  },
  {
    fault: 'an issuer that shows as another',
    reason: 'certificate_unreadable',
    options: () => ({ certificate: { issuer: `${issuer}\u202e` } }),
  },
  {
    fault: 'a name longer than any that can be declared',
    reason: 'certificate_unreadable',
    options: () => ({ certificate: { names: [url(`${identity}${'a'.repeat(2_048)}`)] } }),
  },
  {
    fault: 'a key for what a certificate signed',
    reason: 'signer_mismatch',
    input: {
      signers: [{ kind: 'key', public_key: String(ecKeys().publicKey.export({ type: 'spki', format: 'pem' })) }],
    },
  },

  // The trusted root.
  {
    fault: 'a trusted root that is not one',
    reason: 'trusted_root_invalid',
    input: { trustedRoot: readTrustedRoot('{"tlogs":1') },
  },
  { fault: 'an empty trusted root', reason: 'trusted_root_invalid', input: { trustedRoot: readTrustedRoot('{}') } },
  {
    fault: 'a log without a beginning',
    reason: 'trusted_root_invalid',
    root: ({ tlogs }) => {
      for (const { publicKey } of tlogs) delete publicKey.validFor.start
    },
  },
  {
    fault: 'a certificate log without a beginning',
    reason: 'trusted_root_invalid',
    root: ({ ctlogs }) => {
      for (const { publicKey } of ctlogs) delete publicKey.validFor.start
    },
  },
  {
    fault: 'a certificate authority without a beginning',
    reason: 'trusted_root_invalid',
    root: ({ certificateAuthorities }) => {
      for (const { validFor } of certificateAuthorities) delete validFor.start
    },
  },
  {
    fault: 'a timestamp authority without a beginning',
    reason: 'trusted_root_invalid',
    root: ({ timestampAuthorities }) => {
      for (const { validFor } of timestampAuthorities) delete validFor.start
    },
  },
]

const logs = ['ecdsa', 'ed25519'] as const
type Log = (typeof logs)[number]

describe.each(logs)('with a log whose key is %s', (log) => {
  let worlds: Worlds
  beforeAll(async () => {
    worlds = { ours: await createPrivateSigstore({ log }), theirs: await createPrivateSigstore({ log }) }
  })

  const made = new Map<BundleOptions, BundleJson>()
  const goodBundle = async (options: BundleOptions) => {
    const bundle = made.get(options) ?? (await worlds.ours.bundle(options))
    made.set(options, bundle)
    return structuredClone(bundle)
  }

  const judge = async (options: BundleOptions, fault: Partial<Fault> = {}) => {
    const { ours } = worlds
    const bundle = fault.options
      ? await ours.bundle({ ...options, ...(await fault.options(worlds, options)) })
      : await goodBundle(options)
    fault.edit?.(bundle, worlds)
    const root = ours.trustedRoot()
    fault.root?.(root, worlds)
    return verifyBundle({
      bundle: JSON.stringify(bundle),
      trustedRoot: readTrustedRoot(JSON.stringify(root)),
      digest,
      signers: [declared],
      now: fault.now?.(worlds) ?? ours.signedAt,
      ...fault.input,
    })
  }

  describe.each(ways)('$way', ({ options }) => {
    it('is verified by identity, by repository and by workflow, with every check', async () => {
      const signers: DeclaredSigner[] = [
        declared,
        { kind: 'repository', issuer, repository },
        { kind: 'repository', issuer, repository, workflow },
      ]
      for (const signer of signers) {
        const verdict = await judge(options, { input: { signers: [signer] } })
        expect(verdict).toMatchObject({
          ...(isEnvelope(options)
            ? { status: 'unknown', reason: 'attestation_only', predicate_type: statement.predicateType }
            : { status: 'verified', reason: null, predicate_type: null }),
          method: 'sigstore',
          signed_digest: digest,
        })
        expect(verdict.checks.map(({ result }) => result)).toEqual(Array(7).fill('passed'))
        expect(verdict.signer).toEqual({ identity, issuer, repository, workflow, key_fingerprint: null })
        expect(verdict.signed_at).toBe(worlds.ours.signedAt.toISOString())
        expect(verdict.log).toMatchObject({
          index: hasPromise(options) ? '1005' : '5',
          kind: isV2(options) ? 'rekor-v2' : 'rekor-v1',
          log_id: worlds.ours.log.id.toString('hex'),
        })
      }
    })

    it('shows the proven position in the log, for any position in the bundle', async () => {
      const edit = (bundle: BundleJson) => {
        entryOf(bundle).logIndex = '77'
      }
      const verdict = await judge(options, { edit })
      expect(verdict.log?.index ?? verdict.reason).toBe(hasPromise(options) ? 'log_proof_invalid' : '5')
    })

    // An attestation signs no model, whatever else is missing.
    const reasonFor = ({ reason }: Fault) =>
      isEnvelope(options) && bundleReasons[reason] === 'unknown' ? 'attestation_only' : reason
    const tried = faults.filter((fault, index) => isTried(fault, index, options, log))
    it.each(tried.map((fault) => ({ ...fault, reason: reasonFor(fault) })))('with $fault is $reason', async (fault) => {
      const verdict = await judge(options, fault)
      expect(verdict.reason, verdict.message).toBe(fault.reason)
      expect(verdict.status).not.toBe('verified')
    })
  })
})
