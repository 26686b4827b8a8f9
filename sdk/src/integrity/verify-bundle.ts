import type { BundleVerdict, DeclaredSigner } from '../contract/bundles.ts'
import { checkCertificate } from './certificate-method.ts'
import { createFindings, type Findings } from './findings.ts'
import { checkKey } from './key-method.ts'
import type { MethodInput } from './method.ts'
import type { ModelStatement } from './model-signing.ts'
import { readBundle } from './read-bundle.ts'
import { Rejection } from './rejection.ts'
import type { SignerTies } from './signer-policy.ts'
import { checkSigstore } from './sigstore-method.ts'
import { readContent, type SignedContent } from './statement.ts'
import type { TrustedRootSource } from './trusted-root.ts'

export interface BundleInput {
  /** The bundle's JSON, at most 5,000,000 bytes. */
  bundle: Uint8Array | string
  /** From `readTrustedRoot`. */
  trustedRoot: TrustedRootSource
  /** What must have been signed: `sha256:` (or `sha384:`, `sha512:`) and hex; null where it is not known. */
  digest: string | null
  /** The model's files, where they are known. Of a folder the names are compared, which no digest holds. */
  files?: readonly NamedFile[]
  /** Who may have signed it: one of them is enough. */
  signers: readonly DeclaredSigner[]
  /** What is proven to be the provider's own: a valid signature of any other declared signer is `unknown`. Without it every signer counts. */
  ties?: SignerTies
  now: Date
}

interface NamedFile {
  name: string
  /** SHA-256, hex with or without `sha256:`. */
  digest: string
}

const methods = { sigstore: checkSigstore, key: checkKey, certificate: checkCertificate } as const

/**
 * Checks a Sigstore bundle (v0.1 to v0.3) or an OpenSSF Model Signing bundle (v1.0) without network and without the
 * model's bytes, and answers with every check. `verified` means: the signature, its certificate, log and time hold, it is
 * over `digest`, it was made by one of `signers`, and it signs a model: by OpenSSF Model Signing, or of a single file by its
 * digest. A valid signature is `unknown` without signers or digest, for another in-toto statement (`attestation_only`), for a
 * folder whose names were not signed, and for a signer outside `ties`. Never throws: what cannot be read is `invalid`.
 */
export const verifyBundle = (input: BundleInput): BundleVerdict => {
  const findings = createFindings()
  try {
    check(input, findings)
  } catch (error) {
    findings.fail(
      error instanceof Rejection ? error : { check: 'bundle', reason: 'bundle_unreadable', message: 'It is not built as it must be' },
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

/** Whether what was signed is the model: a folder's digest says nothing of names, and an attestation is about a model at most. */
const checkContent = (content: SignedContent, { digest, files }: Pick<BundleInput, 'digest' | 'files'>, findings: Findings): void => {
  if (content.kind === 'statement') {
    if (content.failure === null) findings.withhold('attestation_only', content.predicateType)
    else findings.fail({ check: 'digest', reason: 'attestation_failed', message: `The statement says: ${content.failure}` })
  }
  if (digest === null || !content.digests.includes(digest) || files === undefined || isSingle(content, files, digest)) return
  if (content.kind !== 'model') findings.leaveOpen('digest', 'names_not_signed', 'Only the digest of the whole folder was signed')
  else checkNames(content.model, files, findings)
}

const hexOf = (digest: string) => digest.slice(-64).toLowerCase()

/** A single file is the same under another name. The root digest of several is that of a file that holds their digests. */
const isSingle = (content: SignedContent, files: readonly NamedFile[], digest: string) => {
  const [only, ...others] = files
  const isSignedSo = content.kind !== 'model' || content.model.resources.some((signed) => signed.digest === hexOf(digest))
  return only !== undefined && others.length === 0 && hexOf(only.digest) === hexOf(digest) && isSignedSo
}

/** Pieces and other hashes cannot be compared without the bytes; then the list is not this model's, whose digest they gave. */
const checkNames = ({ resources }: ModelStatement, files: readonly NamedFile[], findings: Findings): void => {
  // The reference names a single file so.
  const isNameless = resources.length === 1 && resources[0]?.name === '.'
  const signed = new Map(resources.map(({ name, digest }) => [name, digest]))
  const other = files.find(({ name, digest }) => signed.get(isNameless ? '.' : name) !== hexOf(digest))
  const names = new Set(files.map(({ name }) => name))
  if (other === undefined && files.length === resources.length && names.size === resources.length) return
  findings.fail({
    check: 'digest',
    reason: 'files_mismatch',
    message: other ? `${JSON.stringify(other.name.slice(0, 100))} was not signed with this content` : 'Other files were signed',
  })
}

const shownContent = {
  message: 'A signature over one digest',
  statement: 'A signed in-toto statement',
  model: 'A model signed by OpenSSF Model Signing',
}

const checkDigest = ({ digests }: SignedContent, digest: string | null, findings: Findings): void => {
  if (digest === null) findings.leaveOpen('digest', 'digest_missing', 'There is no digest to compare with')
  else if (digests.includes(digest)) findings.pass('digest', `${digest} was signed`)
  else findings.fail({ check: 'digest', reason: 'digest_mismatch', message: `${digest} was not signed` })
}
