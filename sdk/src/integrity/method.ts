import type { DeclaredSigner } from '../contract/bundles.ts'
import type { Findings } from './findings.ts'
import type { ReadBundle } from './read-bundle.ts'
import type { SignerTies } from './signer-policy.ts'
import type { SignedContent } from './statement.ts'
import type { TrustedRootSource } from './trusted-root.ts'

/** The inputs of each method. It adds its results to `findings`, and throws at the first fault. */
export interface MethodInput {
  read: ReadBundle
  content: SignedContent
  trustedRoot: TrustedRootSource
  signers: readonly DeclaredSigner[]
  /** Signers proven to be the provider's own; undefined if that does not matter. */
  ties: SignerTies | undefined
  now: Date
  findings: Findings
}
