export { checkFacts, type ExpectedFacts, type FactProof, type LogCheck, type LogCheckState } from './facts.ts'
