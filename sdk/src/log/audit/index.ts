export { createReplay, endsFact, type ReplayedFacts, type ReplayResult, type UnmetFact } from './replay.ts'
