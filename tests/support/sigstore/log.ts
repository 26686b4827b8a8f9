import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { base64, ecKeys, type Keys, pemOf, sha256, spkiOf } from './keys.ts'

export const entryKinds = [
  'hashedrekord/0.0.1',
  'hashedrekord/0.0.2',
  'dsse/0.0.1',
  'dsse/0.0.2',
  'intoto/0.0.2',
] as const
export type EntryKind = (typeof entryKinds)[number]

export const isRekorV2 = (kind: EntryKind) => kind === 'hashedrekord/0.0.2' || kind === 'dsse/0.0.2'

/** The part of a signature that an entry records. */
export interface Recorded {
  signature: Buffer
  /** The digest of the signed bytes, as in `hashedrekord`. */
  digest: Buffer
  /** For a DSSE envelope. */
  payload: Buffer
  payloadType: string
  key: { certificate: Buffer } | { publicKey: Buffer }
}

const hex = (digest: Buffer) => ({ algorithm: 'sha256', value: digest.toString('hex') })
const sha2 = (digest: Buffer) => ({ algorithm: 'SHA2_256', digest: base64(digest) })
const keyPem = ({ key }: Recorded) =>
  base64(Buffer.from('certificate' in key ? pemOf('CERTIFICATE', key.certificate) : pemOf('PUBLIC KEY', key.publicKey)))
const keyV2 = ({ key }: Recorded) => ({
  ...('certificate' in key
    ? { x509Certificate: { rawBytes: base64(key.certificate) } }
    : { publicKey: { rawBytes: base64(key.publicKey) } }),
  keyDetails: 'PKIX_ECDSA_P256_SHA_256',
})

/** Entry bodies as the logs write them. */
const specs: Record<EntryKind, (recorded: Recorded) => object> = {
  'hashedrekord/0.0.1': (recorded) => ({
    data: { hash: hex(recorded.digest) },
    signature: { content: base64(recorded.signature), publicKey: { content: keyPem(recorded) } },
  }),
  'dsse/0.0.1': (recorded) => ({
    envelopeHash: hex(sha256(recorded.payload)),
    payloadHash: hex(sha256(recorded.payload)),
    signatures: [{ signature: base64(recorded.signature), verifier: keyPem(recorded) }],
  }),
  'intoto/0.0.2': (recorded) => ({
    content: {
      envelope: {
        payloadType: recorded.payloadType,
        signatures: [{ publicKey: keyPem(recorded), sig: base64(Buffer.from(base64(recorded.signature))) }],
      },
      hash: hex(sha256(recorded.payload)),
      payloadHash: hex(sha256(recorded.payload)),
    },
  }),
  'hashedrekord/0.0.2': (recorded) => ({
    hashedRekordV002: {
      data: sha2(recorded.digest),
      signature: { content: base64(recorded.signature), verifier: keyV2(recorded) },
    },
  }),
  'dsse/0.0.2': (recorded) => ({
    dsseV002: {
      payloadHash: sha2(sha256(recorded.payload)),
      signatures: [{ content: base64(recorded.signature), verifier: keyV2(recorded) }],
    },
  }),
}

export interface LogEntry {
  logIndex: string
  logId: { keyId: string }
  kindVersion: { kind: string; version: string }
  integratedTime?: string
  inclusionPromise?: { signedEntryTimestamp: string }
  inclusionProof?: {
    logIndex: string
    rootHash: string
    treeSize: string
    hashes: string[]
    checkpoint?: { envelope: string }
  }
  canonicalizedBody: string
}

export interface EntryOptions {
  time: Date
  promise?: boolean
  /** Faults. */
  forgedPromise?: boolean
  forgedProof?: boolean
  forgedCheckpoint?: boolean
  editBody?: (body: { kind: string; apiVersion: string; spec: object }) => void
}

const treeSize = 8
const leafIndex = 5

/** A transparency log like Rekor: one tree, in which every entry is the sixth of eight. */
export const createLog = (algorithm: 'ecdsa' | 'ed25519', host = 'log.acme.example') => {
  const keys: Keys = algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : ecKeys()
  const key = spkiOf(keys.publicKey)
  const id = sha256(key)
  const signed = (bytes: Buffer, by = keys.privateKey) =>
    sign(by.asymmetricKeyType === 'ed25519' ? null : 'sha256', bytes, by)

  const prove = (body: Buffer, origin: string, forged: Pick<EntryOptions, 'forgedProof' | 'forgedCheckpoint'>) => {
    const siblings = [randomBytes(32), randomBytes(32), randomBytes(32)]
    const node = (left: Buffer, right: Buffer) => sha256(Buffer.concat([Buffer.from([1]), left, right]))
    const leaf = sha256(Buffer.concat([Buffer.from([0]), body]))
    const root = siblings.reduce(
      (hash, sibling, level) => ((leafIndex >> level) & 1 ? node(sibling, hash) : node(hash, sibling)),
      leaf,
    )
    const note = `${origin}\n${treeSize}\n${base64(root)}\n`
    const signature = signed(Buffer.from(note), forged.forgedCheckpoint ? ecKeys().privateKey : undefined)
    const envelope = `${note}\n— ${host} ${base64(Buffer.concat([id.subarray(0, 4), signature]))}\n`
    if (forged.forgedProof) siblings[1] = randomBytes(32)
    return {
      logIndex: String(leafIndex),
      rootHash: base64(root),
      treeSize: String(treeSize),
      hashes: siblings.map(base64),
      checkpoint: { envelope },
    }
  }

  const record = (kind: EntryKind, recorded: Recorded, options: EntryOptions): LogEntry => {
    const [name = '', version = ''] = kind.split('/')
    const body = { apiVersion: version, kind: name, spec: specs[kind](recorded) }
    options.editBody?.(body)
    const bytes = Buffer.from(canonicalize(body) ?? '')
    const isV2 = isRekorV2(kind)
    const integratedTime = Math.floor(options.time.getTime() / 1_000)
    const promise = () => {
      const payload = { body: base64(bytes), integratedTime, logIndex: 1_000 + leafIndex, logID: id.toString('hex') }
      return signed(Buffer.from(canonicalize(payload) ?? ''), options.forgedPromise ? ecKeys().privateKey : undefined)
    }
    return {
      // In version 2 the index is the position in the tree.
      logIndex: String(isV2 ? leafIndex : 1_000 + leafIndex),
      logId: { keyId: base64(id) },
      kindVersion: { kind: name, version },
      ...(isV2 ? {} : { integratedTime: String(integratedTime) }),
      ...(isV2 || options.promise === false ? {} : { inclusionPromise: { signedEntryTimestamp: base64(promise()) } }),
      inclusionProof: prove(bytes, isV2 ? host : `${host} - 1234567890`, options),
      canonicalizedBody: base64(bytes),
    }
  }

  return { key, id, host, isEd25519: algorithm === 'ed25519', record }
}
