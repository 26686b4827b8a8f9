import { importPublicKey, verifySignature } from '#ed25519'

/** Whether the key, in base64url, signed this. Rejects if it is not an Ed25519 key. */
export const isSignedBy = async (x: string, message: Uint8Array, signature: Uint8Array): Promise<boolean> =>
  verifySignature(await importPublicKey({ kty: 'OKP', crv: 'Ed25519', x }), message, signature)
