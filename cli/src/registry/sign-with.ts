import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { readPrivateKey } from './private-key.ts'

/** A `fetch` that signs mint requests with the key in this file, over another one. */
export const signWith = async (context: Context, file: string) => {
  const { requestSigner } = await import('@countersign/sdk/signer')
  const privateKey = readPrivateKey(Buffer.from(await context.files.read(file)), '--sign-key', file)
  if (!canSign(privateKey)) throw await unusable(privateKey, file)
  // OpenSSL also writes older forms, which WebCrypto does not read.
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return (send: typeof fetch): typeof fetch => requestSigner({ key, fetch: send, now: () => context.now().getTime() })
}

/** The keys whose signatures the registry accepts. */
const canSign = ({
  asymmetricKeyType: type,
  asymmetricKeyDetails: { namedCurve = '', modulusLength = 0 } = {},
}: KeyObject) =>
  type === 'ed25519' ||
  (type === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve)) ||
  (type === 'rsa' && modulusLength >= 2_048 && modulusLength <= 4_096)

const unusable = async (key: KeyObject, file: string) => {
  const { spkiFingerprint } = await import('@countersign/sdk/node')
  const { keyType } = spkiFingerprint(createPublicKey(key).export({ type: 'spki', format: 'der' }))
  return new Failure(
    'not_a_key',
    2,
    `--sign-key: ${file} is a key of type ${keyType}, which cannot sign requests`,
    'Use Ed25519, ECDSA P-256 or P-384, or RSA of 2048 to 4096 bits. Make one with: countersign deployments keygen',
  )
}
