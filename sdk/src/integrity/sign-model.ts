import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isInside } from '../contract/file-name.ts'
import { byCodePoints, rootDigest } from './file-list.ts'
import { modelHint } from './key-method.ts'
import { hexLengths, modelSigningType } from './model-signing.ts'
import { preAuthEncoding, schemeOf } from './signature.ts'
import { readSigningCertificates } from './signing-certificates.ts'
import { inTotoType } from './statement.ts'

/** The files of a model to sign. */
export interface ModelToSign {
  /** The name of the file or directory, for people. */
  name: string
  /**
   * Every file with its SHA-256, 64 hex with or without `sha256:`; a single file under its own name. With `shardSize`,
   * every piece of every file, named `file:start:end`.
   */
  files: readonly { name: string; digest: string }[]
  /** The algorithm of the digests. Default `sha256`. */
  algorithm?: SignedAlgorithm | undefined
  /** The length of the pieces in bytes. Default: whole files. */
  shardSize?: number | undefined
  /** Ignored paths, relative to the model, so that verifiers ignore them as well: `gitPaths` by default of `hashModel`. */
  ignorePaths?: readonly string[] | undefined
  /** Whether symbolic links were followed. */
  allowSymlinks?: boolean | undefined
}

/** The algorithms of the registry of OpenSSF Model Signing. */
export type SignedAlgorithm = 'sha256' | 'blake2b' | 'blake3'

/** Options of `signModel`. */
export interface SigningOptions {
  /** The passphrase of an encrypted private key. */
  passphrase?: string | undefined
  /** PEM: the certificate of the key, then the certificates of its authorities. Signs by certificate. */
  certificates?: string | undefined
}

/**
 * The in-toto statement of OpenSSF Model Signing v1.0 over a model's files, in the order of the specification.
 *
 * @returns The statement, to be serialized and signed.
 * @throws A `RangeError` if there are no files, or if a name is repeated or leads out of the model.
 * @example
 * ```ts
 * const statement = modelStatement({ name: 'tiny', files: [{ name: 'tiny.gguf', digest: '9f'.repeat(32) }] })
 * ```
 */
export const modelStatement = (model: ModelToSign): object => {
  const { name, files, algorithm = 'sha256', shardSize, ignorePaths = [], allowSymlinks = false } = model
  const prefix = `${algorithm}:`
  const resources = files
    .map((file) => ({
      name: file.name,
      algorithm,
      digest: file.digest.startsWith(prefix) ? file.digest.slice(prefix.length) : file.digest,
    }))
    .sort(byCodePoints)
  if (resources.length === 0) throw new RangeError('A model has at least one file')
  const isDigest = (digest: string) => digest.length === hexLengths[algorithm] && /^[0-9a-f]+$/.test(digest)
  const twice = resources.find(({ name }, index) => resources[index + 1]?.name === name)
  const outside = resources.find(({ name }) => !isInside(name))
  const unhashed = resources.find(({ digest }) => !isDigest(digest))
  if (twice) throw new RangeError(`${twice.name} is listed twice`)
  if (outside) throw new RangeError(`${outside.name} is not a path inside the model`)
  if (unhashed) throw new RangeError(`${unhashed.name} has no ${algorithm} digest`)
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256: rootDigest(resources).slice('sha256:'.length) } }],
    predicateType: modelSigningType,
    predicate: {
      resources,
      serialization: {
        method: shardSize === undefined ? 'files' : 'shards',
        hash_type: algorithm,
        ...(shardSize !== undefined && { shard_size: shardSize }),
        allow_symlinks: allowSymlinks,
        ignore_paths: [...ignorePaths],
      },
    },
  }
}

/**
 * Signs a model and returns the bundle's JSON. The key (PEM or KeyObject) is ECDSA on P-256, P-384 or P-521, or RSA of 2,048,
 * 3,072 or 4,096 bits.
 *
 * @returns The bundle's JSON.
 * @throws A `RangeError` for what `modelStatement` refuses, for other keys and for certificates of another key, and
 * node:crypto's error for a key that it cannot read.
 * @example
 * ```ts
 * const model = { name: 'tiny', files: [{ name: 'tiny.gguf', digest: '9f'.repeat(32) }] }
 * const signed = signModel(model, pem)
 * ```
 */
export const signModel = (
  model: ModelToSign,
  privateKey: KeyObject | string,
  { passphrase, certificates }: SigningOptions = {},
): string => {
  const key = typeof privateKey === 'string' ? createPrivateKey({ key: privateKey, passphrase }) : privateKey
  const scheme = schemeOf(key)
  if (!scheme)
    throw new RangeError(
      'A model is signed with an ECDSA key on P-256, P-384 or P-521, or an RSA key of 2,048, 3,072 or 4,096 bits',
    )
  const publicKey = createPublicKey(key)
  const material =
    certificates === undefined
      ? { publicKey: { hint: modelHint(publicKey) } }
      : {
          x509CertificateChain: {
            certificates: readSigningCertificates(certificates, publicKey).map(({ raw }) => ({
              rawBytes: raw.toString('base64'),
            })),
          },
        }
  const payload = Buffer.from(JSON.stringify(modelStatement(model)))
  const signature = sign(scheme.hash, preAuthEncoding(inTotoType, payload), { key, ...scheme.signing })
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { ...material, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: inTotoType,
      signatures: [{ sig: signature.toString('base64'), keyid: '' }],
    },
  })
}
