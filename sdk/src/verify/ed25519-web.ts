import type { Jwk } from '../contract/signing.ts'

/** An imported public key; its type depends on the platform. */
export type PublicKey = CryptoKey

/** Imports an Ed25519 public key (RFC 8037 §2). Rejects anything else. */
export const importPublicKey = ({ kty, crv, x }: Pick<Jwk, 'kty' | 'crv' | 'x'>): PublicKey | Promise<PublicKey> =>
  crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])

/** Checks an Ed25519 signature (RFC 8032 §5.1.7). */
export const verifySignature = (
  key: PublicKey,
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): boolean | Promise<boolean> => crypto.subtle.verify('Ed25519', key, signature, data)
