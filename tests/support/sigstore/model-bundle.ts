import { sign } from 'node:crypto'
import { type ModelToSign, modelStatement } from '@countersign/sdk/integrity'
import { base64, type Curve, type Keys, sha256 } from './keys.ts'
import type { BundleJson } from './private-sigstore.ts'

const payloadType = 'application/vnd.in-toto+json'
const hashes = { prime256v1: 'sha256', secp384r1: 'sha384', secp521r1: 'sha512' } as const

export const hexOf = (text: string) => sha256(Buffer.from(text)).toString('hex')

/** A model of two files. */
export const model: ModelToSign = {
  name: 'tiny',
  files: [
    { name: 'weights/model.safetensors', digest: hexOf('weights') },
    { name: 'config.json', digest: hexOf('{}') },
  ],
}

type Material = Pick<BundleJson['verificationMaterial'], 'publicKey' | 'x509CertificateChain'>

/** A statement as OMS bundles contain it, with a valid signature over any content. */
export const signStatement = (statement: unknown, keys: Keys, material: Material): BundleJson => {
  const payload = Buffer.from(JSON.stringify(statement))
  const curve = keys.publicKey.asymmetricKeyDetails?.namedCurve
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const signature = sign(curve ? hashes[curve as Curve] : null, signed, keys.privateKey)
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { ...material, tlogEntries: [], timestampVerificationData: { rfc3161Timestamps: [] } },
    dsseEnvelope: { payload: base64(payload), payloadType, signatures: [{ sig: base64(signature), keyid: '' }] },
  }
}

/** OMS by certificate; the signer's certificate comes first. */
export const signByCertificate = (
  keys: Keys,
  chain: readonly Buffer[],
  statement: unknown = modelStatement(model),
): BundleJson =>
  signStatement(statement, keys, {
    x509CertificateChain: { certificates: chain.map((bytes) => ({ rawBytes: base64(bytes) })) },
  })
