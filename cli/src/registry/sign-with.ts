import type { Context } from '../context.ts'
import { readPrivateKey } from './private-key.ts'

/** A `fetch` that signs mint requests with the key in this file, over another one. */
export const signWith = async (context: Context, file: string) => {
  const { requestSigner } = await import('@countersign/sdk/signer')
  // OpenSSL also writes older forms, which WebCrypto does not read.
  const key = readPrivateKey(Buffer.from(await context.files.read(file)), '--sign-key', file)
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()
  return (send: typeof fetch): typeof fetch => requestSigner({ key, fetch: send, now: () => context.now().getTime() })
}
