import type { DeclaredSigner } from '../contract/bundles.ts'
import type { Findings } from './findings.ts'
import type { ReadBundle } from './read-bundle.ts'
import type { SignerTies } from './signer-policy.ts'
import type { SignedContent } from './statement.ts'
import type { TrustedRootSource } from './trusted-root.ts'

/** What each way of signing is checked with; it writes what it finds into `findings`, and rejects at the first fault. */
export interface MethodInput {
  read: ReadBundle
  content: SignedContent
  trustedRoot: TrustedRootSource
  signers: readonly DeclaredSigner[]
  /** What is proven to be the provider's own; undefined where that is not the question. */
  ties: SignerTies | undefined
  now: Date
  findings: Findings
}
