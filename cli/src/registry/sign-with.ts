import { createPrivateKey } from 'node:crypto'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { detailOf } from '../render/detail.ts'

/** A `fetch` that signs mint requests with the key in this file, over another one. */
export const signWith = async (context: Context, file: string) => {
  const { requestSigner } = await import('@countersign/sdk/signer')
  const key = readPkcs8(Buffer.from(await context.files.read(file)), file)
  return (send: typeof fetch): typeof fetch => requestSigner({ key, fetch: send, now: () => context.now().getTime() })
}

/** OpenSSL also writes older forms, which WebCrypto does not read. */
const readPkcs8 = (pem: Buffer, file: string) => {
  try {
    return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch (error) {
    throw new Failure(
      'not_a_key',
      2,
      `${file} is not a private key: ${detailOf(error)}`,
      'It must be PEM and not encrypted. Make one with: countersign deployments keygen',
      { cause: error },
    )
  }
}
