import { sha256 } from './keys.ts'
import type { BundleOptions } from './private-sigstore.ts'

export const artifact = Buffer.from('the bytes of a model')
export const hexDigest = sha256(artifact).toString('hex')
export const digest = `sha256:${hexDigest}`

/** An in-toto statement about the artifact. */
export const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'model.safetensors', digest: { sha256: hexDigest } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {},
}

/** Every way to record a signature in a log. */
export const ways: readonly { way: string; options: BundleOptions }[] = [
  { way: 'artifact in hashedrekord 0.0.1', options: { kind: 'hashedrekord/0.0.1', artifact } },
  {
    way: 'artifact in hashedrekord 0.0.1, proof and timestamp',
    options: { kind: 'hashedrekord/0.0.1', artifact, stamped: true, entry: { promise: false } },
  },
  { way: 'artifact in hashedrekord 0.0.2', options: { kind: 'hashedrekord/0.0.2', artifact } },
  { way: 'statement in hashedrekord 0.0.2', options: { kind: 'hashedrekord/0.0.2', statement } },
  { way: 'statement in dsse 0.0.1', options: { kind: 'dsse/0.0.1', statement } },
  { way: 'statement in dsse 0.0.2', options: { kind: 'dsse/0.0.2', statement } },
  { way: 'statement in intoto 0.0.2', options: { kind: 'intoto/0.0.2', statement } },
]
