import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isInside } from '../contract/file-name.ts'
import { byCodePoints, rootDigest } from './file-list.ts'
import { modelHint } from './key-method.ts'
import { modelSigningType } from './model-signing.ts'
import { curveOf, preAuthEncoding } from './signature.ts'
import { inTotoType } from './statement.ts'

export interface ModelToSign {
  /** The name of the file or directory, for people. */
  name: string
  /** Every file with its SHA-256, 64 hex with or without `sha256:`; a single file by its own name. */
  files: readonly { name: string; digest: string }[]
  /** What was left out, relative to the model, so that a verifier leaves it out, too. */
  ignorePaths?: readonly string[]
  allowSymlinks?: boolean
}

/**
 * The in-toto statement of OpenSSF Model Signing v1.0 over a model's files, in the order of the specification. Throws a
 * `RangeError` where there is no file, or where a name leaves the model or is there twice.
 */
export const modelStatement = ({ name, files, ignorePaths = [], allowSymlinks = false }: ModelToSign): object => {
  const resources = files
    .map((file) => ({ name: file.name, algorithm: 'sha256', digest: file.digest.replace(/^sha256:/, '') }))
    .sort(byCodePoints)
  if (resources.length === 0) throw new RangeError('A model has at least one file')
  const twice = resources.find(({ name }, index) => resources[index + 1]?.name === name)
  const outside = resources.find(({ name }) => !isInside(name))
  const unhashed = resources.find(({ digest }) => !/^[0-9a-f]{64}$/.test(digest))
  if (twice) throw new RangeError(`${twice.name} is listed twice`)
  if (outside) throw new RangeError(`${outside.name} is not a path inside the model`)
  if (unhashed) throw new RangeError(`${unhashed.name} has no SHA-256`)
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256: rootDigest(resources).slice('sha256:'.length) } }],
    predicateType: modelSigningType,
    predicate: {
      resources,
      serialization: { method: 'files', hash_type: 'sha256', allow_symlinks: allowSymlinks, ignore_paths: [...ignorePaths] },
    },
  }
}

/**
 * Signs a model with an ECDSA key (P-256, P-384 or P-521; PEM or KeyObject) and answers the bundle's JSON. Throws a
 * `RangeError` for what `modelStatement` refuses and for other keys, and node:crypto's error for a key that it cannot read.
 */
export const signModel = (model: ModelToSign, privateKey: KeyObject | string, passphrase?: string): string => {
  const key = typeof privateKey === 'string' ? createPrivateKey({ key: privateKey, passphrase }) : privateKey
  const curve = curveOf(key)
  if (!curve) throw new RangeError('A model is signed with an ECDSA key on P-256, P-384 or P-521')
  const payload = Buffer.from(JSON.stringify(modelStatement(model)))
  const signature = sign(curve.hash, preAuthEncoding(inTotoType, payload), key)
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: modelHint(createPublicKey(key)) }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: inTotoType,
      signatures: [{ sig: signature.toString('base64'), keyid: '' }],
    },
  })
}
