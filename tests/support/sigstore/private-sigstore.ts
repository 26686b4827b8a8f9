import { sign } from 'node:crypto'
import { initializeTSA } from '@sigstore/mock'
import { type CertificateOptions, createFulcio } from './authority.ts'
import { base64, type Curve, ecKeys, type Keys, later, sha256, spkiOf } from './keys.ts'
import { createLog, type EntryKind, type EntryOptions, isRekorV2, type LogEntry, type Recorded } from './log.ts'

export const identity = 'https://github.com/acme/models/.github/workflows/release.yml@refs/heads/main'
export const issuer = 'https://token.actions.githubusercontent.com'
export const repository = 'https://github.com/acme/models'
export const workflow = '.github/workflows/release.yml'

/** Bundles as JSON, for tests to break. */
export interface BundleJson {
  mediaType: string
  verificationMaterial: {
    certificate?: { rawBytes: string }
    x509CertificateChain?: { certificates: { rawBytes: string }[] }
    publicKey?: { hint: string }
    tlogEntries: LogEntry[]
    timestampVerificationData: { rfc3161Timestamps: { signedTimestamp: string }[] }
  }
  messageSignature?: { messageDigest: { algorithm: string; digest: string }; signature: string }
  dsseEnvelope?: { payload: string; payloadType: string; signatures: { sig: string; keyid: string }[] }
}

export interface BundleOptions {
  kind: EntryKind
  /** Signed as a DSSE envelope; if missing, `artifact` is signed directly. */
  statement?: unknown
  artifact?: Buffer
  payloadType?: string
  /** With an RFC 3161 time; by default if the log has none. */
  stamped?: boolean
  /** Signed with a key instead of a certificate. */
  managedKey?: Keys
  /** Certify these keys instead of new ones. */
  keys?: Keys
  curve?: Curve
  hash?: string
  certificate?: Partial<CertificateOptions>
  entry?: Partial<EntryOptions>
  /** Faults. */
  signs?: Buffer
  records?: Partial<Recorded>
  stampOver?: Buffer
  stampBy?: (over: Buffer) => Promise<Buffer>
  stampAt?: Date
}

const hashOid = '2.16.840.1.101.3.4.2.1'

const paeOf = (type: string, payload: Buffer) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])

/** A private Sigstore: authority, certificate log, transparency log and timestamps, all in this process. */
export const createPrivateSigstore = async ({
  log: algorithm = 'ecdsa',
  at = new Date(),
}: {
  log?: 'ecdsa' | 'ed25519'
  at?: Date
} = {}) => {
  const start = new Date(Math.floor(at.getTime() / 1_000) * 1_000)
  const signedAt = later(start, 5)
  const fulcio = await createFulcio(start)
  const log = createLog(algorithm)
  const stampKeys = ecKeys()
  const stamps = await initializeTSA(stampKeys, signedAt)

  /** RFC 3161, over a SHA-256. */
  const stampDigest = async (artifactHash: Buffer, time = signedAt): Promise<Buffer> => {
    // The same key and names with another clock.
    const authority = time === signedAt ? stamps : await initializeTSA(stampKeys, time)
    return bytesOf(
      await authority.timestamp({
        artifactHash,
        hashAlgorithmOID: hashOid,
        nonce: 42,
        policyOID: '1.3.6.1.4.1.57264.2',
        certReq: false,
      }),
    )
  }
  const stamp = (over: Buffer, time?: Date) => stampDigest(sha256(over), time)

  /** One valid bundle; each option is one thing that a test can break. */
  const bundle = async (options: BundleOptions): Promise<BundleJson> => {
    const {
      kind,
      statement,
      artifact = Buffer.alloc(0),
      payloadType = 'application/vnd.in-toto+json',
      managedKey,
      hash = 'sha256',
    } = options
    const isEnvelope = statement !== undefined
    const payload = isEnvelope
      ? Buffer.from(typeof statement === 'string' ? statement : JSON.stringify(statement))
      : Buffer.alloc(0)
    const signed = isEnvelope ? paeOf(payloadType, payload) : artifact
    const keys = managedKey ?? options.keys ?? ecKeys(options.curve)
    const signature = sign(hash, options.signs ?? signed, keys.privateKey)
    const certificate = managedKey
      ? undefined
      : await fulcio.issue({
          keys,
          from: start,
          names: [{ type: 'url', value: identity }],
          issuer,
          repository,
          workflow: workflowUri,
          ...options.certificate,
        })
    const recorded: Recorded = {
      signature,
      digest: sha256(signed),
      payload,
      payloadType,
      key: certificate ? { certificate } : { publicKey: spkiOf(keys.publicKey) },
      ...options.records,
    }
    const isStamped = options.stamped ?? isRekorV2(kind)
    const over = options.stampOver ?? signature
    const timestamps = isStamped ? [await (options.stampBy ? options.stampBy(over) : stamp(over, options.stampAt))] : []
    return {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        ...(certificate ? { certificate: { rawBytes: base64(certificate) } } : { publicKey: { hint: '' } }),
        tlogEntries: [log.record(kind, recorded, { time: signedAt, ...options.entry })],
        timestampVerificationData: {
          rfc3161Timestamps: timestamps.map((bytes) => ({ signedTimestamp: base64(bytes) })),
        },
      },
      ...(isEnvelope
        ? {
            dsseEnvelope: {
              payload: base64(payload),
              payloadType,
              signatures: [{ sig: base64(signature), keyid: '' }],
            },
          }
        : {
            messageSignature: {
              messageDigest: { algorithm: 'SHA2_256', digest: base64(sha256(artifact)) },
              signature: base64(signature),
            },
          }),
    }
  }

  const began = later(start, -3_600).toISOString()
  const logKey = (key: Buffer, baseUrl: string, isEd25519 = false) => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: base64(key),
      keyDetails: isEd25519 ? 'PKIX_ED25519' : 'PKIX_ECDSA_P256_SHA_256',
      validFor: period(began),
    },
    logId: { keyId: base64(sha256(key)) },
  })
  const authority = (uri: string, certificates: readonly Uint8Array[]) => ({
    subject: { organization: 'acme.example', commonName: uri },
    uri,
    certChain: { certificates: certificates.map((bytes) => ({ rawBytes: base64(bytes) })) },
    validFor: period(began),
  })
  /** The trusted root; a new copy each time, for tests to break. */
  const trustedRoot = () => ({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logKey(log.key, `https://${log.host}`, log.isEd25519)],
    certificateAuthorities: [authority('https://authority.acme.example', [fulcio.certificate])],
    ctlogs: [logKey(fulcio.ctLogKey, 'https://certificates.acme.example')],
    timestampAuthorities: [
      authority('https://time.acme.example', [bytesOf(stamps.intCertificate), bytesOf(stamps.rootCertificate)]),
    ],
  })

  return { start, signedAt, bundle, trustedRoot, stamp, stampDigest, fulcio, log }
}
export type PrivateSigstore = Awaited<ReturnType<typeof createPrivateSigstore>>

const workflowUri = `${repository}/${workflow}@refs/heads/main`
const period = (start: string): { start?: string; end?: string } => ({ start })
const bytesOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)
