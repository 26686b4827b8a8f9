export { createReplay, type ReplayedFacts, type ReplayResult, type UnmetFact } from './replay.ts'
