import { createPublicKey, type KeyObject } from 'node:crypto'
import type { BundleStatus, BundleVerdict, DeclaredSigner } from '../contract/bundles.ts'
import { readCertificate } from './certificate.ts'
import { readDer, readOneDer } from './der.ts'
import { fingerprintOf } from './key-method.ts'
import { readBundle } from './read-bundle.ts'
import { signersOf } from './signer-policy.ts'
import { type BundleInput, verifyBundle } from './verify-bundle.ts'

/** What `verifyBundles` checks, and against what. */
export interface BundlesInput extends Pick<BundleInput, 'trustedRoot' | 'signers' | 'now'> {
  /**
   * The bundles, each with its expected digest. A bundle has one signature, so several signers make several bundles.
   */
  bundles: readonly Pick<BundleInput, 'bundle' | 'digest' | 'files'>[]
  /** Required number of different signers. */
  threshold: number
}

/** The verdict on several bundles of one model. */
export interface BundlesVerdict {
  /** `verified` if enough signers signed; `error` if bundles that could not be checked might make the difference. */
  status: Extract<BundleStatus, 'verified' | 'invalid' | 'error'>
  /** The declared signers who signed, each once. */
  signed_by: DeclaredSigner[]
  /** The verdicts, in the order of the bundles. */
  verdicts: BundleVerdict[]
}

/**
 * Checks that at least `threshold` different signers signed, each with their own bundle. A signer counts once, regardless of how many
 * bundles and declarations they have. Bundles that are not verified do not count.
 *
 * @returns The {@link BundlesVerdict}.
 * @example
 * ```ts
 * const { status, signed_by } = verifyBundles({
 *   bundles: [{ bundle, digest }],
 *   signers: [signer],
 *   threshold: 1,
 *   trustedRoot: readTrustedRoot(),
 *   now: new Date(),
 * })
 * ```
 */
export const verifyBundles = ({
  bundles,
  signers: declared,
  threshold,
  trustedRoot,
  now,
}: BundlesInput): BundlesVerdict => {
  if (!Number.isInteger(threshold) || threshold < 1)
    throw new RangeError('The threshold must be a whole number of at least 1')
  const signers = declared.filter(
    (signer, index) => declared.findIndex((other) => spelled(other) === spelled(signer)) === index,
  )
  const rsaKeys = findRsaKeys(bundles, signers)
  const verdicts = bundles.map((each) => verifyBundle({ ...each, trustedRoot, signers, now }))
  /** The verified makers that fit each declared signer. */
  const makers = signers.map((signer) =>
    bundles.flatMap((each, index) => {
      const maker = verdicts[index]?.status === 'verified' ? makerOf(verdicts[index], rsaKeys) : undefined
      const isTheirs =
        maker !== undefined && verifyBundle({ ...each, trustedRoot, signers: [signer], now }).status === 'verified'
      return isTheirs ? [maker] : []
    }),
  )
  const paired = pairOf(makers)
  const signed_by = signers.filter((_, index) => paired.has(index))
  const unsettled = verdicts.filter(({ status }) => status === 'error').length
  const status =
    signed_by.length >= threshold ? 'verified' : signed_by.length + unsettled >= threshold ? 'error' : 'invalid'
  return { status, signed_by, verdicts }
}

/**
 * The maker of a signature, regardless of the declaration that matches: a key, or the name in a Sigstore certificate.
 */
const makerOf = ({ signer }: BundleVerdict, rsaKeys: ReadonlyMap<string, string>): string | undefined => {
  if (signer === null) return undefined
  const { key_fingerprint: key, issuer, identity } = signer
  return key === null ? JSON.stringify([issuer, identity]) : (rsaKeys.get(key) ?? key)
}

const spelled = (signer: DeclaredSigner) =>
  JSON.stringify(
    Object.entries(signer)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )

/**
 * One RSA key can name either of two algorithms (RFC 4055 §1.2), which gives it two fingerprints. This maps each
 * fingerprint to the key's numbers.
 */
const findRsaKeys = (bundles: BundlesInput['bundles'], signers: readonly DeclaredSigner[]): Map<string, string> => {
  const keys = [
    ...signersOf('key', signers).map(({ public_key }) => orNothing(() => createPublicKey(public_key))),
    ...bundles.map(({ bundle }) => orNothing(() => certifiedKeyOf(bundle))),
  ]
  const isRsa = (key: KeyObject | undefined): key is KeyObject => key?.asymmetricKeyType?.startsWith('rsa') === true
  return new Map(keys.filter(isRsa).map((key) => [fingerprintOf(key), numbersOf(key)]))
}

const certifiedKeyOf = (bundle: BundleInput['bundle']): KeyObject | undefined => {
  const { content } = readBundle(bundle).bundle.verificationMaterial
  const [leaf] = content.$case === 'x509CertificateChain' ? content.x509CertificateChain.certificates : []
  return leaf && readCertificate(leaf.rawBytes).x509.publicKey
}

/** The bit string of an SPKI (RFC 5280 §4.1), without the algorithm. */
const numbersOf = (key: KeyObject): string => {
  const [, numbers] = readDer(readOneDer(key.export({ type: 'spki', format: 'der' })).content)
  return `rsa:${numbers?.content.toString('hex')}`
}

/** Unreadable keys match nothing. */
const orNothing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The largest number of declared signers that can each be paired with their own maker (Kuhn's algorithm): one maker
 * allowed by two declarations counts once, and so do two makers allowed by one.
 */
const pairOf = (makers: readonly (readonly string[])[]): Set<number> => {
  const signerOf = new Map<string, number>()
  const place = (signer: number, tried: Set<string>): boolean =>
    (makers[signer] ?? []).some((maker) => {
      if (tried.has(maker)) return false
      tried.add(maker)
      const other = signerOf.get(maker)
      if (other !== undefined && !place(other, tried)) return false
      signerOf.set(maker, signer)
      return true
    })
  for (const signer of makers.keys()) place(signer, new Set())
  return new Set(signerOf.values())
}
