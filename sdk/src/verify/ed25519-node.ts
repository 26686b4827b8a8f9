import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Jwk } from '../contract/signing.ts'

/** An imported public key; its type depends on the platform. */
export type PublicKey = KeyObject

/** Imports an Ed25519 public key (RFC 8037 §2). Throws on anything else. */
export const importPublicKey = ({ kty, crv, x }: Pick<Jwk, 'kty' | 'crv' | 'x'>): PublicKey | Promise<PublicKey> =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' })

/** Checks an Ed25519 signature (RFC 8032 §5.1.7). */
// The plain key object; the options form takes 50% longer.
export const verifySignature = (key: PublicKey, data: Uint8Array, signature: Uint8Array): boolean | Promise<boolean> =>
  verify(null, data, key, signature)
