import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { DeclaredSigner } from '../contract/bundles.ts'
import { signerProofPrefix } from '../contract/signer-ties.ts'
import { checkPeriod, checkPurpose, findPath, readPemCertificates } from './certificate-chain.ts'
import { fingerprintOf } from './key-method.ts'
import { Rejection } from './rejection.ts'
import { schemeOf, verifyBytes } from './signature.ts'

/** A signed challenge with what it must fit. */
export interface SignerProof {
  /** The declared signer. */
  signer: DeclaredSigner
  /** The challenge's text, whose UTF-8 bytes are signed. */
  message: string
  /** Base64. */
  signature: string
  /** PEM, for a declared authority: the signer's certificate and the intermediates. */
  certificateChain?: string | undefined
  /** The time of the check. */
  now: Date
}

/** The key that signed, as SHA-256 of its SPKI in hex, or why the proof is invalid. */
export type SignerProofAnswer = { key: string } | { fault: string }

const maxCertificates = 10

/**
 * Whether the holder of a declared key, or of a certificate under a declared authority, signed the challenge. Never throws.
 *
 * @returns The key that signed, or what is wrong.
 * @example
 * ```ts
 * const proof = checkSignerProof({ signer, message, signature, now: new Date() })
 * if ('fault' in proof) console.error(proof.fault)
 * ```
 */
export const checkSignerProof = ({
  signer,
  message,
  signature,
  certificateChain,
  now,
}: SignerProof): SignerProofAnswer => {
  try {
    const key = keyOf(signer, certificateChain, now)
    if (typeof key === 'string') return { fault: key }
    const isSigned = verifyBytes(key, Buffer.from(message), Buffer.from(signature, 'base64'))
    return isSigned
      ? { key: fingerprintOf(key) }
      : { fault: 'The signature was not made with this key over this challenge' }
  } catch (error) {
    return { fault: error instanceof Rejection ? error.message : 'The key, certificate or signature cannot be read' }
  }
}

const keyOf = (signer: DeclaredSigner, chain: string | undefined, now: Date): KeyObject | string => {
  if (signer.kind === 'key') return createPublicKey(signer.public_key)
  if (signer.kind !== 'certificate') return 'An identity is not proven by a signature'
  const anchors = readPemCertificates(signer.certificate_chain)
  const sent = chain === undefined ? anchors : readPemCertificates(chain)
  const [leaf, ...others] = sent
  if (!leaf || sent.length > maxCertificates)
    return `Give the signer's certificate and those between, at most ${maxCertificates}`
  checkPurpose(leaf, anchors)
  const path = findPath(leaf, others, anchors)
  if (!path) return 'The certificate does not lead to the declared authority'
  checkPeriod(path, now)
  return leaf.x509.publicKey
}

/** The values that the holder knows and does not take from the challenge. */
export interface ProofFor {
  /** The origin that the holder is connected to. */
  registry: string
  /** The holder's own provider, prv_…. */
  provider: string
  /** sgn_…. */
  signer: string
}

const challengeRest = /^nonce: [^\n]+\nexpires: [^\n]+\n$/

/**
 * Whether a challenge is for this signer of this provider at this registry. A challenge of another registry was relayed
 * by this one.
 *
 * @returns Whether to sign it.
 * @example
 * ```ts
 * const isMine = isSignerChallenge(message, { registry: 'https://registry.example', provider: 'prv_1', signer: 'sgn_1' })
 * ```
 */
export const isSignerChallenge = (message: string, { registry, provider, signer }: ProofFor): boolean => {
  const start = `${signerProofPrefix}registry: ${registry}\nprovider: ${provider}\nsigner: ${signer}\n`
  return message.startsWith(start) && challengeRest.test(message.slice(start.length))
}

/**
 * Signs a challenge of a registry, and returns base64.
 *
 * @returns The signature in base64.
 * @throws A `RangeError` for a text that is not a challenge for `of`, so that a registry cannot have anything else signed, and
 * for keys that cannot sign models.
 * @example
 * ```ts
 * const of = { registry: 'https://registry.example', provider: 'prv_1', signer: 'sgn_1' }
 * const signed = signSignerProof(message, pem, of)
 * ```
 */
export const signSignerProof = (
  message: string,
  privateKey: KeyObject | string,
  of: ProofFor,
  passphrase?: string,
): string => {
  if (!isSignerChallenge(message, of))
    throw new RangeError('Not a challenge for this signer of this provider at this registry')
  const key = typeof privateKey === 'string' ? createPrivateKey({ key: privateKey, passphrase }) : privateKey
  const bytes = Buffer.from(message)
  if (key.asymmetricKeyType === 'ed25519') return sign(null, bytes, key).toString('base64')
  const scheme = schemeOf(key)
  if (!scheme) throw new RangeError('This kind of key signs no models')
  return sign(scheme.hash, bytes, { key, ...scheme.signing }).toString('base64')
}
