import type { BundleVerdict, DeclaredSigner } from '../contract/bundles.ts'
import { checkCertificate } from './certificate-method.ts'
import { createFindings, type Findings } from './findings.ts'
import { inJson } from './in-json.ts'
import { checkKey } from './key-method.ts'
import type { MethodInput } from './method.ts'
import type { ModelStatement } from './model-signing.ts'
import { readBundle } from './read-bundle.ts'
import { Rejection } from './rejection.ts'
import type { SignerTies } from './signer-policy.ts'
import { checkSigstore } from './sigstore-method.ts'
import { readContent, type SignedContent } from './statement.ts'
import type { TrustedRootSource } from './trusted-root.ts'

/** What `verifyBundle` checks, and against what. */
export interface BundleInput {
  /** The bundle's JSON, at most 5,000,000 bytes. */
  bundle: Uint8Array | string
  /** From `readTrustedRoot`. */
  trustedRoot: TrustedRootSource
  /** The digest that must have been signed: `sha256:` (or `sha384:`, `sha512:`) and hex; null if unknown. */
  digest: string | null
  /** The model's files, if known. For a folder, their names are compared. Without files, `digest` counts as that of a single file. */
  files?: readonly NamedFile[] | undefined
  /** The accepted signers; one of them must have signed. */
  signers: readonly DeclaredSigner[]
  /**
   * Signers proven to be the provider's own; valid signatures of other declared signers are `unknown`. If omitted,
   * every signer counts.
   */
  ties?: SignerTies | undefined
  /** The time of the check. */
  now: Date
}

interface NamedFile {
  name: string
  /** SHA-256, hex with or without `sha256:`. */
  digest: string
}

const methods = { sigstore: checkSigstore, key: checkKey, certificate: checkCertificate } as const

/**
 * Checks a Sigstore bundle (v0.1 to v0.3) or an OpenSSF Model Signing bundle (v1.0) without network access or the model's bytes, and
 * returns every check. `verified` means: signature, certificate, log and time are valid, `digest` was signed by one of `signers`, and
 * the signature covers a model: by OpenSSF Model Signing, or a single file by its digest. A valid signature is `unknown` without
 * signers or digest, for another in-toto statement (`attestation_only`), for a folder whose names were not signed, and for a signer
 * outside `ties`. Never throws: unreadable input is `invalid`.
 *
 * @returns The verdict with every check; it never throws.
 * @example
 * ```ts
 * const verdict = verifyBundle({ bundle, trustedRoot: readTrustedRoot(), digest, signers: [signer], now: new Date() })
 * if (verdict.status !== 'verified') console.error(verdict.reason, verdict.message)
 * ```
 */
export const verifyBundle = (input: BundleInput): BundleVerdict => {
  const findings = createFindings()
  try {
    check(input, findings)
  } catch (error) {
    findings.fail(
      error instanceof Rejection
        ? error
        : { check: 'bundle', reason: 'bundle_unreadable', message: 'The bundle has the wrong structure' },
    )
  }
  return findings.verdict()
}

const check = ({ bundle, trustedRoot, digest, files, signers, ties, now }: BundleInput, findings: Findings): void => {
  const read = readBundle(bundle)
  findings.facts.method = read.method
  const content = readContent(read)
  findings.pass('bundle', shownContent[content.kind])
  findings.facts.signed_digest = content.digests.find((signed) => signed === digest) ?? content.digests[0] ?? null
  findings.facts.predicate_type = predicateTypeOf(content)
  const method: (input: MethodInput) => void = methods[read.method]
  method({ read, content, trustedRoot, signers, ties, now, findings })
  checkDigest(content, digest, findings)
  checkContent(content, { digest, files }, findings)
}

const predicateTypeOf = (content: SignedContent): string | null => {
  return content.kind === 'message' ? null : content.predicateType
}

/** Whether the signature covers the model: a folder's digest does not cover names, and an attestation does not sign a model. */
const checkContent = (
  content: SignedContent,
  { digest, files }: Pick<BundleInput, 'digest' | 'files'>,
  findings: Findings,
): void => {
  if (content.kind === 'statement') {
    // Without its key, a bundle attests nothing.
    if (content.failure === null && findings.isSigned()) findings.withhold('attestation_only', content.predicateType)
    if (content.failure !== null)
      findings.fail({
        check: 'digest',
        reason: 'attestation_failed',
        message: `The statement says: ${content.failure}`,
      })
  }
  if (digest === null || !content.digests.includes(digest) || files === undefined || isSingle(content, files, digest))
    return
  if (content.kind === 'model') checkNames(content.model, files, findings)
  else if (findings.isSigned())
    findings.leaveOpen('digest', 'names_not_signed', 'Only the digest of the whole folder was signed')
}

const hexOf = (digest: string) => digest.slice(-64).toLowerCase()

/** A single file may have any name. The root digest of several files also is that of a file containing their digests. */
const isSingle = (content: SignedContent, files: readonly NamedFile[], digest: string) => {
  const [only, ...others] = files
  const isSignedSo =
    content.kind !== 'model' || content.model.resources.some((signed) => signed.digest === hexOf(digest))
  return only !== undefined && others.length === 0 && hexOf(only.digest) === hexOf(digest) && isSignedSo
}

/** Lists of pieces or other hashes cannot be compared without the bytes and never match. */
const checkNames = ({ resources }: ModelStatement, files: readonly NamedFile[], findings: Findings): void => {
  // The reference implementation's name for a single file.
  const isNameless = resources.length === 1 && resources[0]?.name === '.'
  const signed = new Map(resources.map(({ name, digest }) => [name, digest]))
  const other = files.find(({ name, digest }) => signed.get(isNameless ? '.' : name) !== hexOf(digest))
  const names = new Set(files.map(({ name }) => name))
  if (other === undefined && files.length === resources.length && names.size === resources.length) return
  findings.fail({
    check: 'digest',
    reason: 'files_mismatch',
    message: other ? `${inJson(other.name)} was not signed with this content` : 'Other files were signed',
  })
}

const shownContent = {
  message: 'A signature over one digest',
  statement: 'An in-toto statement',
  model: 'A statement of OpenSSF Model Signing',
}

const checkDigest = ({ kind, digests }: SignedContent, digest: string | null, findings: Findings): void => {
  if (digest !== null && !digests.includes(digest)) {
    findings.fail({ check: 'digest', reason: 'digest_mismatch', message: `${digest} was not signed` })
    return
  }
  const isSigned = findings.isSigned()
  // Anyone can write a digest into a bundle.
  if (!isSigned) findings.facts.signed_digest = null
  if (digest === null) findings.leaveOpen('digest', 'digest_missing', 'No digest to compare with')
  else if (isSigned)
    findings.pass('digest', kind === 'statement' ? `The statement is about ${digest}` : `${digest} was signed`)
  else findings.skip('digest', `The bundle names ${digest}`)
}
