import type { BundleVerdict, DeclaredSigner } from '../contract/bundles.ts'
import { checkCertificate } from './certificate-method.ts'
import { createFindings, type Findings } from './findings.ts'
import { checkKey } from './key-method.ts'
import type { MethodInput } from './method.ts'
import { readBundle } from './read-bundle.ts'
import { Rejection } from './rejection.ts'
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
  /** Who may have signed it: one of them is enough. */
  signers: readonly DeclaredSigner[]
  now: Date
}

const methods = { sigstore: checkSigstore, key: checkKey, certificate: checkCertificate } as const

/**
 * Checks a Sigstore bundle (v0.1 to v0.3) or an OpenSSF Model Signing bundle (v1.0) without network and without the
 * model's bytes, and answers with every check. `verified` means: the signature, its certificate, log and time hold, it is
 * over `digest`, and it was made by one of `signers`. Without signers or digest a good signature is `unknown`. Never
 * throws: what cannot be read is `invalid`.
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

const check = ({ bundle, trustedRoot, digest, signers, now }: BundleInput, findings: Findings): void => {
  const read = readBundle(bundle)
  findings.facts.method = read.method
  const content = readContent(read)
  findings.pass('bundle', shownContent[content.kind])
  findings.facts.signed_digest = content.digests.find((signed) => signed === digest) ?? content.digests[0] ?? null
  const method: (input: MethodInput) => void = methods[read.method]
  method({ read, content, trustedRoot, signers, now, findings })
  checkDigest(content, digest, findings)
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
