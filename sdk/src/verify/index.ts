export type { DeploymentProof } from '../contract/deployments.ts'
export { type IdPrefix, isId } from '../contract/ids.ts'
export type { Expectation } from './expectation.ts'
export { hashResponse } from './hash-response.ts'
export { InsecureHttpError } from './insecure-http.ts'
export type { JwksCache } from './key-cache.ts'
export { formatLinkCode, type LinkReading, readLink } from './link-code.ts'
export type { LogCheck, LogCheckState, PinnedLog } from './log-check.ts'
export {
  type JudgedVerdict,
  type PolicyConfig,
  type PolicyDecision,
  type PolicyRule,
  policy,
  type Violation,
} from './policy.ts'
export { provenDomain } from './proven-domain.ts'

export {
  checkToken,
  importKeys,
  type PublicKeys,
  readToken,
  type TokenHeader,
  type TokenReading,
  type TokenVerdict,
  tokenTypes,
} from './token.ts'
export {
  type Doubt,
  type KnownLink,
  type LinkSummary,
  type Outcome,
  outcomeOf,
  type ReadVerdictOptions,
  readVerdict,
  type Step,
  type Steps,
  type StepWords,
  type Verdict,
} from './verdict.ts'
export {
  createVerifier,
  type OfflineVerdict,
  VerificationError,
  type Verifier,
  type VerifierOptions,
  type VerifyOptions,
} from './verifier.ts'
