export type { LogCheck, LogCheckState } from '../../verify/log-check.ts'
export { type ClaimedBundle, claimedBundle } from './bundle.ts'
export { checkFacts, type ExpectedFacts, type FactProof } from './facts.ts'
export { isSameKey, policyForProofs, readAnnouncement, withSuccessors } from './successors.ts'
